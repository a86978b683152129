import { Packed, inflate } from "../data/decode";
import { framesOf, type More } from "../data/frames";
import type { RunEvent } from "../data/header";

/** How a run stands that goes on while it is looked at (docs/live.md). */
export interface Status {
  state: "running" | "paused" | "finished" | "failed" | "stopped";
  t: number;
  speed: number;
  pace: number;
  late: boolean;
  driver: boolean;
  inputs: number[];
  checkpoints: number[];
  message: string;
}
export interface Ending {
  ending: string;
  finished: string;
  summary: string;
}

/** What comes from the program, in the order in which it was sent. */
export interface Listener {
  run(packed: Packed): void;
  frames(more: More): void;
  status(status: Status): void;
  events(events: RunEvent[]): void;
  back(t: number): void;
  end(ending: Ending): void;
  refused(text: string): void;
  /** Whether the program may go: it is not sought then. */
  over(): boolean;
  /** `problem`: what of a message could not be read; it ends the connection. */
  connection(state: "open" | "lost", problem: string): void;
}

const LEAST_WAIT = 500; // [ms] until it is tried again
const MOST_WAIT = 5000;

/** The connection to the program that serves the page; made anew where it is lost. */
export class Link {
  private socket: WebSocket | null = null;
  private queue: Promise<void> = Promise.resolve();
  private wait = LEAST_WAIT;
  private stopped = false;

  constructor(
    private readonly url: string,
    private readonly listener: Listener,
    private readonly open: (url: string) => WebSocket = (u) => new WebSocket(u),
  ) {
    this.connect();
  }

  private connect(): void {
    const socket = (this.socket = this.open(this.url));
    socket.binaryType = "arraybuffer";
    let opened = false;
    let problem = "";
    socket.onopen = () => {
      opened = true;
      this.wait = LEAST_WAIT;
      this.queue = this.queue.then(() => this.listener.connection("open", ""));
    };
    socket.onmessage = (e: MessageEvent<string | ArrayBuffer>) => {
      this.queue = this.queue.then(async () => {
        if (this.socket !== socket || problem) return;
        try {
          await this.take(e.data);
        } catch (error) {
          problem = error instanceof Error ? error.message : String(error);
          socket.close();
        }
      });
    };
    socket.onclose = () => {
      this.queue = this.queue.then(() => this.lost(opened, problem));
    };
  }
  private lost(opened: boolean, problem: string): void {
    if (this.stopped) return;
    if (opened || this.wait === LEAST_WAIT) this.listener.connection("lost", problem);
    if (this.listener.over() && !problem) return;
    setTimeout(() => this.stopped || this.connect(), this.wait);
    this.wait = Math.min(MOST_WAIT, 1.6 * this.wait);
  }

  private async take(data: string | ArrayBuffer): Promise<void> {
    if (typeof data !== "string") return this.binary(new Uint8Array(data));
    const message = JSON.parse(data) as { type: string } & Record<string, unknown>;
    const to = this.listener;
    if (message.type === "status") to.status(message as unknown as Status);
    else if (message.type === "events") to.events(message.events as RunEvent[]);
    else if (message.type === "back") to.back(message.t as number);
    else if (message.type === "end") to.end(message as unknown as Ending);
    else if (message.type === "refused") to.refused(message.text as string);
  }
  private async binary(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const more = framesOf(bytes);
    if (more) this.listener.frames(more);
    else this.listener.run(new Packed(await inflate(bytes)));
  }

  /** False: there is no connection. */
  send(command: string): boolean {
    if (this.socket?.readyState !== 1) return false;
    this.socket.send(command);
    return true;
  }
  close(): void {
    this.stopped = true;
    this.socket?.close();
  }
}

/** The address of a path of the page's own host. */
export function socketUrl(path: string, page: { protocol: string; host: string }): string {
  return `${page.protocol === "https:" ? "wss" : "ws"}://${page.host}${path}`;
}
