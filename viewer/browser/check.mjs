// Opens reports from disk in Chromium and holds what is drawn against the results.
//   node browser/check.mjs REPORT.html POSITIONS.json [PICTURES_DIR]
// POSITIONS.json: what 'trammel export DIR --json' gives. Exits with 1 where something is wrong.
import { readFileSync, mkdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [report, exported, pictures] = process.argv.slice(2);
const faults = [];
const fault = (text) => faults.push(text);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"],
});

/** A page with the report open, which complains of errors and of requests to anywhere. */
async function open(size, scheme) {
  const page = await browser.newPage({ viewport: size, colorScheme: scheme, reducedMotion: "reduce" });
  page.on("console", (m) => m.type() === "error" && fault(`console: ${m.text()}`));
  page.on("pageerror", (e) => fault(`error: ${e.message}`));
  page.on("request", (r) => {
    if (!/^(file|data|blob):/.test(r.url())) fault(`a request to ${r.url()}`);
  });
  const begun = Date.now();
  await page.goto(pathToFileURL(resolve(report)).href);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes", null, { timeout: 60000 });
  console.log(`${basename(report)} at ${size.width} x ${size.height}: open after ${Date.now() - begun} ms`);
  return page;
}

const shot = async (page, name) => {
  await page.waitForTimeout(1200);
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), timeout: 60000 });
};

/** Positions as drawn are those of the results, to float32. */
async function comparePositions(page) {
  const channels = new Map(JSON.parse(readFileSync(exported, "utf8")).channels.map((c) => [c.name, c.values]));
  const time = channels.get("time");
  const names = await page.evaluate(() => window.trammel.names);
  const kept = await page.evaluate(() => [...window.trammel.app.run.time]);
  let worst = 0;
  for (const part of [0, 0.21, 0.5, 0.83, 1]) {
    const t = kept[Math.round(part * (kept.length - 1))];
    const frame = time.indexOf(t);
    if (frame < 0) {
      fault(`the report has a frame at ${t} s, the results have none`);
      continue;
    }
    const drawn = await page.evaluate((at) => window.trammel.positions(at), t);
    names.forEach((name, i) =>
      ["x", "y", "z"].forEach((axis, k) => {
        const wanted = Math.fround(channels.get(`${name}.position.${axis}`)[frame]);
        const off = Math.abs(drawn[3 * i + k] - wanted);
        worst = Math.max(worst, off);
        if (!(off === 0)) fault(`${name}.${axis} at ${t} s: ${drawn[3 * i + k]}, results ${wanted}`);
      }),
    );
  }
  console.log(`positions of ${names.length} bodies: worst difference ${worst} m`);
}

async function use(page) {
  const state = () => page.evaluate(() => {
    const { app } = window.trammel;
    return { t: app.clock.t, playing: app.clock.playing, mode: app.picture.camera.mode, selected: app.selected };
  });
  await page.locator(".picture canvas").focus();
  await page.keyboard.press("End");
  const end = await state();
  if (end.t !== (await page.evaluate(() => window.trammel.app.clock.end))) fault("End does not go to the end");
  await page.keyboard.press("ArrowLeft");
  if (!((await state()).t < end.t)) fault("the left arrow does not go back");
  await page.keyboard.press("Home");
  await page.keyboard.press(" ");
  await page.waitForTimeout(700);
  const played = await state();
  if (!(played.playing && played.t > 0)) fault(`space does not play: ${JSON.stringify(played)}`);
  await page.keyboard.press(" ");
  if ((await state()).playing) fault("space does not pause");
  for (const [key, mode] of [["2", "follow"], ["3", "rider"], ["4", "trackside"], ["5", "free"], ["1", "orbit"]]) {
    await page.keyboard.press(key);
    if ((await state()).mode !== mode) fault(`key ${key} does not give the camera ${mode}`);
  }
  await page.keyboard.press("f");
  await page.waitForTimeout(900);
  const hit = await page.evaluate(() => {
    const { app } = window.trammel;
    const canvas = document.querySelector("canvas").getBoundingClientRect();
    for (let i = 0; i < app.picture.poses.names.length; i++) {
      const [x, y] = app.picture.onCanvas(i);
      if (app.picture.pick(x, y)) return [x + canvas.left, y + canvas.top];
    }
    return null;
  });
  if (!hit) return fault("no body can be picked where its middle is");
  await page.mouse.click(...hit);
  const { selected } = await state();
  if (!selected) return fault("a click on a body selects nothing");
  const rows = await page.locator("#panel-Selection table.values td").count();
  if (rows === 0) fault(`${selected.name} shows no values`);
  await page.locator("#panel-Selection button", { hasText: "plot" }).first().click();
  if ((await page.locator("#panel-Plots .chart canvas").count()) === 0) fault("no plot is drawn");
}

const name = basename(report, ".html") === "report" ? basename(resolve(report, "..")) : basename(report, ".html");
if (pictures) mkdirSync(pictures, { recursive: true });
const page = await open({ width: 1280, height: 720 }, "light");
await comparePositions(page);
await page.evaluate(() => {
  const { app } = window.trammel;
  app.clock.set(app.clock.start + 0.4 * (app.clock.end - app.clock.start));
});
await shot(page, `${name}-light`);
await use(page);
await shot(page, `${name}-plots`);
await page.locator("#tab-Energy").click();
await page.locator(".picture canvas").focus();
await page.keyboard.press("r");
await page.keyboard.press("p");
await page.evaluate(() => {
  const { app } = window.trammel;
  app.clock.set(app.clock.start + 0.6 * (app.clock.end - app.clock.start));
});
await shot(page, `${name}-energy`);
await page.close();
const phone = await open({ width: 390, height: 844 }, "dark");
if (await phone.evaluate(() => document.documentElement.scrollWidth > innerWidth)) fault("wider than a phone");
await shot(phone, `${name}-phone`);
await browser.close();
for (const text of new Set(faults)) console.log(`fault: ${text}`);
process.exit(faults.length > 0 ? 1 : 0);
