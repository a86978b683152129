import "uplot/dist/uPlot.min.css";
import "./style.css";
import { App } from "./app";
import { embedded } from "./data/source";
import { el } from "./dom";

declare global {
  interface Window {
    /** For programs that drive the page: where bodies are drawn at t, three numbers a body. */
    trammel?: { app: App; positions(t: number): number[]; names: string[] };
  }
}

async function begin(): Promise<void> {
  const root = document.getElementById("app")!;
  try {
    const source = await embedded(document);
    if (!source) {
      root.append(el("p", { class: "empty" }, "There is no run in this page. 'trammel report DIR' writes one that has it."));
      return;
    }
    const app = new App(source.run(), root);
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
  } catch (error) {
    root.replaceChildren(el("p", { class: "empty", role: "alert" }, `This page cannot show its run: ${String(error)}`));
    throw error;
  }
}

void begin();
