import "uplot/dist/uPlot.min.css";
import "./style.css";
import { App } from "./app";
import type { Run } from "./data/run";
import { embedded } from "./data/source";
import { el } from "./dom";
import { socketUrl } from "./live/link";
import { Live } from "./live/live";
import { record, type MovieOrder } from "./movie/movie";

declare global {
  interface Window {
    /** For programs that drive the page: where bodies are drawn at t, three numbers a body. */
    trammel?: { app: App; positions(t: number): number[]; names: string[] };
  }
}

function show(root: HTMLElement, run: Run, live: Live | null): void {
  window.trammel?.app.close();
  const app = new App(run, root, live);
  window.trammel = {
    app,
    names: app.picture.poses.names,
    positions(t: number) {
      const out = Array.from(app.picture.poses.positions(t));
      app.picture.poses.set(app.clock.t);
      return out;
    },
  };
  document.documentElement.dataset.ready = "yes";
}

function fail(root: HTMLElement, error: unknown): never {
  root.replaceChildren(el("p", { class: "empty", role: "alert" }, `This page cannot show its run: ${String(error)}`));
  throw error;
}

/** A run that a program sends. */
function watch(root: HTMLElement, { socket }: { socket: string }): void {
  const says = el("p", { class: "empty", role: "status" }, "Waiting for the run …");
  root.append(says);
  const live = new Live(socketUrl(socket, location), (run) => {
    try {
      show(root, run, live);
    } catch (error) {
      fail(root, error);
    }
  });
  live.onChange(() => {
    says.textContent = live.connected ? live.state.message || "Waiting for the run …" : "There is no connection to trammel; it is tried again …";
  });
}

async function begin(): Promise<void> {
  const root = document.getElementById("app")!;
  try {
    const live = document.getElementById("live")?.textContent;
    if (live) return watch(root, JSON.parse(live) as { socket: string });
    const movie = document.getElementById("movie")?.textContent;
    if (movie) {
      const order = JSON.parse(movie) as MovieOrder;
      return await record(order, root, socketUrl(order.socket, location), () => embedded(document));
    }
    const run = await embedded(document);
    if (run) return show(root, run, null);
    root.append(el("p", { class: "empty" }, "There is no run in this page. 'trammel report DIR' writes one that has it."));
  } catch (error) {
    fail(root, error);
  }
}

void begin();
