import { deflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { fromPlanes, Packed, unpack } from "./decode";
import { packed } from "./fake";
import { Run } from "./run";

const header = {
  format: "trammel-report",
  version: 1,
  time: 0,
  bodies: [],
  joints: [],
  series: [
    { path: "/a", quantity: "speed", items: ["u", "v"], columns: ["x", "y"], units: ["m", "s"], values: 1 },
    { path: "/b", quantity: "", items: ["w"], columns: ["z"], units: ["J"], values: 2 },
  ],
};
const arrays = [
  Float64Array.of(0, 0.1, 0.3),
  Float32Array.from({ length: 12 }, (_, i) => Math.sin(i) * 1e3),
  Float32Array.of(NaN, -0, 1e-30),
];

it("gives every number back as it was", async () => {
  const bytes = packed(header, arrays);
  const got = await unpack(Buffer.from(deflateSync(bytes)).toString("base64"));
  arrays.forEach((a, i) => expect(got.array(i)).toEqual(a));
});

it("puts planes of bytes together", () => {
  expect([...new Uint8Array(fromPlanes(Uint8Array.of(1, 2, 3, 4, 5, 6), 3, 2))]).toEqual([1, 4, 2, 5, 3, 6]);
});

it("refuses what is no run, another version, and data cut short", () => {
  expect(() => new Packed(new Uint8Array(20))).toThrow("no data");
  expect(() => new Packed(packed({ ...header, version: 2 }, arrays))).toThrow("version 2");
  const cut = packed(header, arrays).slice(0, -1);
  expect(() => new Packed(cut).array(2)).toThrow("too early");
});

it("finds channels, frames and values between them", () => {
  const run = new Run(new Packed(packed(header, arrays)));
  expect(run.channels.map((c) => c.name)).toEqual(["u.speed.x", "u.speed.y", "v.speed.x", "v.speed.y", "w.z"]);
  const c = run.find("v.speed.y")!;
  expect(c.unit).toBe("s");
  expect([...run.values(c)]).toEqual([...arrays[1]!.slice(9)]);
  expect(run.place(-1)).toEqual({ frame: 0, part: 0 });
  expect(run.place(0.1)).toEqual({ frame: 1, part: 0 });
  expect(run.place(9)).toEqual({ frame: 2, part: 0 });
  const { frame, part } = run.place(0.15);
  expect(frame).toBe(1);
  expect(part).toBeCloseTo(0.25, 12);
  const [a, b] = [arrays[1]![10]!, arrays[1]![11]!];
  expect(run.at(c, 0.15)).toBeCloseTo(a + 0.25 * (b - a), 9);
});
