import { expect, it } from "vitest";
import { answers, film, timesOf, type MovieOrder } from "./movie";

const order = { fps: 30, speed: 2, from: 1, to: 2 } as MovieOrder;

it("has pictures at exact times, the last one at the end", () => {
  const times = timesOf(order);
  expect(times.length).toBe(16);
  expect(times[0]).toBe(1);
  expect(times[15]).toBeCloseTo(2, 12);
  expect(timesOf({ ...order, to: 1 })).toEqual([1]);
  const odd = timesOf({ ...order, to: 1.95 });
  expect([odd.length, odd[15]]).toEqual([16, 1.95]);
  expect(odd[14]).toBeCloseTo(1 + 14 / 15, 12);
});

function fakeSocket() {
  const heard: Record<string, ((e: unknown) => void)[]> = { message: [], close: [] };
  const sent: unknown[] = [];
  return {
    sent,
    say: (what: string, data = "") => heard[what]!.forEach((f) => f({ data })),
    addEventListener: (what: string, f: (e: unknown) => void) => heard[what]!.push(f),
    send: (x: unknown) => sent.push(x),
  };
}

it("sends a picture only when the one before was taken, then how many there were", async () => {
  const socket = fakeSocket();
  const drawn: number[] = [];
  const movie = { draw: (t: number) => drawn.push(t), blob: async () => `picture ${drawn.length}` as unknown as Blob };
  const done = film(movie as never, { ...order, to: 1 + 1 / 15 }, socket as never, answers(socket as never));
  for (let i = 0; i < 2; i++) {
    await new Promise((r) => setTimeout(r, 5));
    expect(socket.sent.length).toBe(i + 1);
    socket.say("message", "next");
  }
  expect(await done).toBe(2);
  expect(socket.sent).toEqual(["picture 1", "picture 2", "done 2"]);
});

it("fails when the connection does", async () => {
  const socket = fakeSocket();
  const movie = { draw: () => {}, blob: async () => "p" as unknown as Blob };
  const done = film(movie as never, order, socket as never, answers(socket as never));
  setTimeout(() => socket.say("close"), 5);
  await expect(done).rejects.toThrow("closed");
});
