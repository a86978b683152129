// What the checks in the browser share.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"],
  });
}

/** Faults that were found; the checks end with their number. */
export class Faults {
  list = [];
  add(text) {
    if (this.list.includes(text)) return;
    this.list.push(text);
    console.log(`fault: ${text}`);
  }
  wanted(holds, text) {
    if (!holds) this.add(text);
  }
}

/** A program that serves a page: its address, its end. */
export class Served {
  constructor(command, args) {
    this.child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    this.said = "";
    this.child.stderr.on("data", (d) => (this.said += d));
    this.address = new Promise((done, fail) => {
      this.child.stdout.on("data", (d) => {
        this.said += d;
        const found = /http:\/\/\S+/.exec(this.said);
        if (found) done(found[0]);
      });
      this.child.on("exit", (code) => fail(new Error(`${command} ${args.join(" ")} ended with ${code}: ${this.said}`)));
    });
    this.address.catch(() => {});
    this.ended = new Promise((done) => this.child.on("exit", done));
  }
  /** Its exit code. */
  async stop(signal = "SIGINT") {
    if (this.child.exitCode === null) this.child.kill(signal);
    return this.ended;
  }
}

/** A page at an address, which complains of errors and of requests to elsewhere. */
export async function openAt(browser, address, faults, size = { width: 1280, height: 720 }, scheme = "light") {
  const page = await browser.newPage({ viewport: size, colorScheme: scheme, reducedMotion: "reduce" });
  const { host } = new URL(address);
  page.lost = false; // the connection may fail
  page.on("console", (m) => m.type() === "error" && !(page.lost && /WebSocket/.test(m.text())) && faults.add(`console: ${m.text()}`));
  page.on("pageerror", (e) => faults.add(`error: ${e.message}`));
  page.on("request", (r) => /^(data|blob):/.test(r.url()) || new URL(r.url()).host === host || faults.add(`a request to ${r.url()}`));
  page.on("websocket", (w) => new URL(w.url()).host === host || faults.add(`a connection to ${w.url()}`));
  await page.goto(address);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes", null, { timeout: 60000 });
  return page;
}

/** How a page stands. */
export function stateOf(page) {
  return page.evaluate(() => {
    const { app } = window.trammel;
    const { clock, run, live, drive } = app;
    return {
      t: clock.t,
      end: clock.end,
      following: clock.following,
      frames: run.frames,
      events: run.header.events.length,
      state: live?.state.state,
      driver: live?.state.driver,
      connected: live?.connected,
      ended: live?.ended,
      inputs: live?.state.inputs,
      checkpoints: live?.state.checkpoints,
      levers: drive?.levers.map((l) => l.value),
    };
  });
}
/** Waits until `holds` of the page's state; false: it never did. */
export async function until(page, holds, ms = 20000) {
  const end = Date.now() + ms;
  while (Date.now() < end) {
    const s = await stateOf(page);
    if (holds(s)) return s;
    await new Promise((done) => setTimeout(done, 60));
  }
  return null;
}

export function pictures(folder) {
  if (folder) mkdirSync(folder, { recursive: true });
  return (page, name) => (folder ? page.screenshot({ path: join(folder, `${name}.png`), timeout: 60000 }) : undefined);
}

/**
 * Positions as drawn at frames of the page are those of `trammel export --json`, to float32; how many were compared. `shared`:
 * the page has frames of its own besides, as where a run is driven.
 */
export async function comparePositions(page, exported, faults, parts = [0, 0.21, 0.5, 0.83, 1], shared = false) {
  const channels = new Map(exported.channels.map((c) => [c.name, c.values]));
  const time = channels.get("time");
  const { names, frames } = await page.evaluate(() => ({ names: window.trammel.names, frames: [...window.trammel.app.run.time] }));
  const known = new Set(time);
  const kept = shared ? frames.filter((t) => known.has(t)) : frames;
  if (kept.length < 10) faults.add(`${kept.length} frames of the page are in the results`);
  let compared = 0;
  for (const part of parts) {
    const t = kept[Math.round(part * (kept.length - 1))];
    const frame = time.indexOf(t);
    if (frame < 0) {
      faults.add(`the page has a frame at ${t} s, the results have none`);
      continue;
    }
    const drawn = await page.evaluate((at) => window.trammel.positions(at), t);
    names.forEach((name, i) =>
      ["x", "y", "z"].forEach((axis, k) => {
        const wanted = Math.fround(channels.get(`${name}.position.${axis}`)[frame]);
        compared++;
        if (drawn[3 * i + k] !== wanted) faults.add(`${name}.${axis} at ${t} s: ${drawn[3 * i + k]}, results ${wanted}`);
      }),
    );
  }
  return compared;
}
