import { deflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { frames, packed } from "../data/fake";
import type { Run } from "../data/run";
import { Live } from "./live";
import { socketUrl } from "./link";

const header = {
  format: "trammel-report",
  version: 1,
  time: 0,
  ending: "open",
  bodies: [],
  joints: [],
  events: [],
  thinning: { every: 1, frames_of_run: 0, most_bytes: 1e7, left_out: [] },
  series: [{ path: "/a", quantity: "", items: ["u"], columns: ["x"], units: ["m"], values: 1 }],
};
const first = (n: number) =>
  new Uint8Array(deflateSync(packed(header, [Float64Array.from({ length: n }, (_, i) => i), Float32Array.from({ length: n }, (_, i) => 10 * i)]))).buffer;

class Socket {
  static made: Socket[] = [];
  readyState = 1;
  sent: string[] = [];
  onopen = () => {};
  onclose = () => {};
  onmessage = (_: { data: unknown }) => {};
  constructor() {
    Socket.made.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 3;
    this.onclose();
  }
}
/** Messages are taken one after the other, and the first ones are inflated: until something is so, or long enough. */
const pause = globalThis.setTimeout;
async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !holds(); i++) await new Promise((done) => pause(done, 10));
}
const text = (message: object) => ({ data: JSON.stringify(message) });

async function begin(n: number) {
  Socket.made = [];
  const runs: Run[] = [];
  const live = new Live("ws://x", (r) => runs.push(r), () => new Socket() as unknown as WebSocket);
  const socket = Socket.made[0]!;
  socket.onopen();
  socket.onmessage({ data: first(n) });
  return { live, runs, socket };
}

it("takes run, frames, events and the end in the order in which they come", async () => {
  const { live, runs, socket } = await begin(2);
  socket.onmessage({ data: frames([[2, 20], [3, 30]]).buffer }); // while the first is still inflated
  socket.onmessage(text({ type: "events", events: [{ t: 2.5 }] }));
  socket.onmessage(text({ type: "back", t: 2 }));
  socket.onmessage({ data: frames([[2.5, 25]]).buffer });
  socket.onmessage(text({ type: "end", ending: "done", finished: "yes", summary: "{}" }));
  await until(() => live.ended);
  expect(runs.length).toBe(1);
  expect([...runs[0]!.time]).toEqual([0, 1, 2, 2.5]);
  expect([...runs[0]!.values(runs[0]!.find("u.x")!)]).toEqual([0, 10, 20, 25]);
  expect([runs[0]!.header.events.length, runs[0]!.header.ending, live.ended]).toEqual([0, "done", true]);
});

it("waits for the first frame, and keeps what happened before it", async () => {
  const { live, runs, socket } = await begin(0);
  socket.onmessage(text({ type: "events", events: [{ t: 0 }] }));
  socket.onmessage(text({ type: "refused", text: "x" }));
  await until(() => live.refusal === "x");
  expect(runs.length).toBe(0);
  socket.onmessage({ data: frames([[0, 7]]).buffer });
  await until(() => runs.length > 0);
  expect([runs[0]!.frames, runs[0]!.header.events.length]).toEqual([1, 1]);
});

it("keeps what came when the connection is lost, tries again, and takes the run anew", async () => {
  const { live, runs, socket } = await begin(5);
  await until(() => runs.length > 0);
  socket.close();
  await until(() => !live.connected);
  expect([live.connected, live.drives, runs[0]!.frames]).toEqual([false, false, 5]);
  await until(() => Socket.made.length > 1);
  Socket.made[1]!.onopen();
  Socket.made[1]!.onmessage({ data: first(7) });
  await until(() => runs[0]!.frames === 7);
  expect([live.connected, runs.length, runs[0]!.frames]).toEqual([true, 1, 7]);
  live.close();
});

it("ends the connection over what it cannot read, and says why", async () => {
  const { live, runs, socket } = await begin(1);
  socket.onmessage({ data: frames([[1, 2, 3]]).buffer });
  await until(() => live.problem !== "" && socket.readyState === 3);
  expect(live.problem).toContain("a frame has 2 numbers, 1 belong");
  expect([socket.readyState, runs[0]!.frames]).toEqual([3, 1]);
  live.close();
});

it("does not seek a program whose run is over", async () => {
  const { live, socket } = await begin(1);
  socket.onmessage(text({ type: "end", ending: "done", finished: "yes", summary: "" }));
  await until(() => live.ended);
  socket.close();
  await new Promise((done) => setTimeout(done, 700));
  expect(Socket.made.length).toBe(1);
});

it("speaks to the page's own host", () => {
  expect(socketUrl("/live?token=T", { protocol: "http:", host: "127.0.0.1:80" })).toBe("ws://127.0.0.1:80/live?token=T");
});
