import { expect, it } from "vitest";
import { Packed } from "./decode";
import { frames, packed } from "./fake";
import { framesOf } from "./frames";
import { Run } from "./run";

const header = {
  format: "trammel-report",
  version: 1,
  time: 0,
  bodies: [],
  joints: [],
  thinning: { every: 1, frames_of_run: 0, most_bytes: 1e7, left_out: [] },
  events: [{ t: 0.05 }, { t: 0.2 }],
  series: [
    { path: "/a", quantity: "speed", items: ["u", "v"], columns: ["x", "y"], units: ["m", "s"], values: 1 },
    { path: "/b", quantity: "", items: ["w"], columns: ["z"], units: ["J"], values: 2 },
  ],
};
const run = (n: number, changed: object = {}) =>
  new Packed(
    packed({ ...header, ...changed }, [
      Float64Array.from({ length: n }, (_, i) => 0.1 * i),
      Float32Array.from({ length: 4 * n }, (_, i) => 1000 * Math.floor(i / n) + (i % n)),
      Float32Array.from({ length: n }, (_, i) => 4000 + i),
    ]),
  );
const frame = (i: number) => [0.1 * i, i, 1000 + i, 2000 + i, 3000 + i, 4000 + i];

it("grows frame by frame, from nothing too, through every doubling", () => {
  for (const first of [0, 3]) {
    const r = new Run(run(first));
    const heard: string[] = [];
    r.onChange((what) => heard.push(what));
    for (let i = first; i < 1500; i += 3) r.append(framesOf(frames([frame(i), frame(i + 1), frame(i + 2)]))!);
    expect(r.frames).toBe(1500);
    expect(heard.length).toBe(r.revision);
    expect(r.end).toBeCloseTo(149.9, 9);
    for (const name of ["u.speed.x", "u.speed.y", "v.speed.x", "v.speed.y", "w.z"]) {
      const c = r.find(name)!;
      const from = 1000 * (c.series === 1 ? 4 : 2 * c.item + c.column);
      expect([...r.values(c)]).toEqual(Array.from({ length: 1500 }, (_, i) => from + i));
      expect(r.at(c, 70.05)).toBeCloseTo(from + 700.5, 3);
      const { values, stride, columns } = r.table(r.header.series[c.series]!.path)!;
      expect(values[(c.item * columns + c.column) * stride + 1234]).toBe(from + 1234);
    }
  }
});

it("goes back, and on from there", () => {
  const r = new Run(run(10));
  r.back(0.3);
  expect([r.frames, r.end]).toEqual([4, 0.1 * 3]);
  expect(r.header.events.map((e) => e.t)).toEqual([0.05, 0.2]);
  r.append(framesOf(frames([[0.35, 1, 2, 3, 4, 5]]))!);
  expect([...r.time]).toEqual([0, 0.1, 0.2, 0.1 * 3, 0.35]);
  expect([...r.values(r.find("v.speed.x")!)]).toEqual([2000, 2001, 2002, 2003, 3]);
  r.back(0.1);
  expect(r.header.events.map((e) => e.t)).toEqual([0.05]);
  r.back(-1);
  expect([r.frames, r.start, r.end]).toEqual([0, 0, 0]);
  expect(r.at(r.find("w.z")!, 0)).toBeNaN();
});

it("keeps each second frame of too many, and the last one", () => {
  for (const n of [100, 101]) {
    const r = new Run(run(10), 5 * n - 1);
    r.append(framesOf(frames(Array.from({ length: n - 10 }, (_, i) => frame(10 + i))))!);
    const wanted = Array.from({ length: Math.floor(n / 2) + 1 }, (_, i) => Math.min(2 * i, n - 1));
    expect([...r.values(r.find("v.speed.x")!)]).toEqual(wanted.map((i) => 2000 + i));
    expect([...r.time]).toEqual(wanted.map((i) => 0.1 * i));
    expect(r.header.thinning.every).toBe(2);
  }
});

it("is replaced by one of the same mechanism, and by no other", () => {
  const r = new Run(run(10));
  expect(r.replace(run(4))).toBe(true);
  expect([...r.values(r.find("w.z")!)]).toEqual([4000, 4001, 4002, 4003]);
  expect(r.replace(run(4, { bodies: [{ name: "more" }] }))).toBe(false);
  expect(r.frames).toBe(4);
});

it("refuses frames of another width, and such as are cut short", () => {
  const r = new Run(run(1));
  expect(() => r.append(framesOf(frames([[0.1, 1, 2]]))!)).toThrow("a frame has 2 numbers, 5 belong");
  expect(() => framesOf(frames([frame(1)]).slice(0, -1))).toThrow("cut short");
  expect(framesOf(packed(header, []))).toBeNull();
});
