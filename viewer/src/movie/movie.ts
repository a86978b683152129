import type { Mode } from "../camera/rigs";
import type { Run } from "../data/run";
import { el } from "../dom";
import { Displays } from "../panels/displays";
import { Look } from "../panels/look";
import { Picture } from "../scene3d/picture";
import { DARK, LIGHT } from "../theme";
import { overlay } from "./overlay";

/** What `trammel movie` writes into the page. */
export interface MovieOrder {
  socket: string;
  fps: number;
  /** Seconds of the run in one of the movie. */
  speed: number;
  width: number;
  height: number;
  camera: Mode;
  from: number;
  to: number;
  theme: "light" | "dark";
}

/** The times of the pictures: the first one at `from`, the last one at `to`. */
export function timesOf(order: Pick<MovieOrder, "fps" | "speed" | "from" | "to">): number[] {
  const step = order.speed / order.fps;
  const n = Math.ceil((order.to - order.from) / step - 1e-6) + 1;
  return Array.from({ length: Math.max(1, n) }, (_, i) => Math.min(order.to, order.from + i * step));
}

/** So many decimals that each picture has another time. */
function clockText(t: number, step: number): string {
  return `${t.toFixed(Math.min(6, Math.max(1, Math.ceil(-Math.log10(step)))))} s`;
}

/** A run as pictures at exact times: what they show does not depend on how long they take. */
export class Movie {
  readonly canvas: HTMLCanvasElement;
  private readonly pen: CanvasRenderingContext2D;
  private readonly drawn: HTMLCanvasElement;
  private readonly picture: Picture;
  private readonly displays: Displays;
  private readonly palette;
  private begun = false;

  constructor(
    private readonly run: Run,
    private readonly order: MovieOrder,
    root: HTMLElement,
  ) {
    this.palette = order.theme === "dark" ? DARK : LIGHT;
    document.documentElement.dataset.theme = this.palette.name;
    const size = `width: ${order.width}px; height: ${order.height}px`;
    this.drawn = el("canvas", { style: size });
    this.canvas = el("canvas", { width: order.width, height: order.height });
    this.pen = this.canvas.getContext("2d")!;
    // the picture takes its size from the page; what is looked at is the one with words on it
    root.classList.add("movie");
    root.replaceChildren(el("div", { class: "movie-drawn", style: size }, this.drawn), this.canvas);
    this.picture = new Picture(run, this.drawn, this.palette, true);
    new Look(this.picture);
    this.displays = new Displays(run);
    this.picture.setMode(order.camera);
  }

  /** The picture at t, and the camera on by the time of one picture. */
  draw(t: number): void {
    const { order, pen, run } = this;
    this.picture.setTime(t, !this.begun);
    if (!this.begun) for (let i = 0; i < SETTLE; i++) this.picture.settle(1 / order.fps);
    this.picture.draw(this.begun ? 1 / order.fps : 0);
    this.begun = true;
    pen.drawImage(this.drawn, 0, 0, order.width, order.height);
    const { header } = run;
    overlay(pen, { title: header.title || header.name, time: clockText(t, order.speed / order.fps), readings: this.displays.readings(t) }, this.palette);
  }
  blob(): Promise<Blob> {
    return new Promise((done, fail) =>
      this.canvas.toBlob((b) => (b ? done(b) : fail(new Error("the browser gives no picture"))), "image/png"),
    );
  }
}

const SETTLE = 90; // pictures that the camera has to come to rest before the first one

/** Sends picture after picture; each goes when the one before it was taken. */
export async function film(movie: Pick<Movie, "draw" | "blob">, order: MovieOrder, socket: Pick<WebSocket, "send">, next: () => Promise<void>): Promise<number> {
  const times = timesOf(order);
  for (const t of times) {
    movie.draw(t);
    socket.send(await movie.blob());
    await next();
  }
  socket.send(`done ${times.length}`);
  return times.length;
}

/** The words of the program, one after the other; it fails when the connection does. */
export function answers(socket: WebSocket): () => Promise<void> {
  const said: string[] = [];
  let waiting: { done: () => void; fail: (e: Error) => void } | null = null;
  let closed = false;
  const look = () => {
    if (!waiting) return;
    if (said.length > 0) {
      const { done, fail } = waiting;
      waiting = null;
      const word = said.shift()!;
      if (word === "next") done();
      else fail(new Error(`"${word}" is not understood`));
    } else if (closed) waiting.fail(new Error("the connection to trammel was closed"));
  };
  socket.addEventListener("message", (e) => (said.push(String(e.data)), look()));
  socket.addEventListener("close", () => ((closed = true), look()));
  return () => new Promise((done, fail) => ((waiting = { done, fail }), look()));
}

/** Films the run for the program that serves the page, which hears of whatever goes wrong. */
export async function record(order: MovieOrder, root: HTMLElement, url: string, load: () => Promise<Run | null>): Promise<void> {
  const socket = new WebSocket(url);
  await new Promise((done, fail) => {
    socket.onopen = done;
    socket.onerror = () => fail(new Error("there is no connection to trammel"));
  });
  try {
    const run = await load();
    if (!run || run.frames === 0) throw new Error("there are no frames in this page");
    const made = await film(new Movie(run, order, root), order, socket, answers(socket));
    document.documentElement.dataset.movie = String(made);
  } catch (error) {
    socket.send(`failed ${error instanceof Error ? error.message : String(error)}`);
    throw error;
  }
}
