// Pages with made-up runs, for what a scene at hand does not show: very many bodies, looks, tracks.
//   node browser/made.mjs net|train|looks FILE.html [N]
import { readFileSync, writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { fileURLToPath } from "node:url";

const POSE = [0, 0, 0, 1, 0, 0, 0];

/** Header and arrays as src/report/packed.cpp writes them, in base64. */
function packed(header, arrays) {
  const places = [];
  const parts = [];
  let offset = 0;
  for (const a of arrays) {
    const size = a.BYTES_PER_ELEMENT;
    const bytes = new Uint8Array(a.buffer, a.byteOffset, a.byteLength);
    const planes = new Uint8Array(bytes.length);
    for (let k = 0; k < size; k++) for (let i = 0; i < a.length; i++) planes[k * a.length + i] = bytes[i * size + k];
    places.push({ offset, count: a.length, bytes: size });
    parts.push(planes);
    offset += planes.length;
  }
  const text = new TextEncoder().encode(JSON.stringify({ ...header, arrays: places }));
  const head = new Uint8Array(12 + text.length);
  head.set(new TextEncoder().encode("TRAMMEL1"));
  new DataView(head.buffer).setUint32(8, text.length, true);
  head.set(text, 12);
  return deflateSync(Buffer.concat([head, ...parts])).toString("base64");
}

/** A run from functions: frames, bodies, joints, and series of `path`: items, columns, value(frame, item, column). */
export class Made {
  header = {
    format: "trammel-report", version: 1, name: "made", title: "Made up", overrides: "", formulation: "velocity",
    trammel: "0", scene_path: "", scene_text: "", ending: "done", finished: "yes", summary: "", no_shapes: "",
    gravity: [0, 0, -9.81], bodies: [], joints: [], laws: [], loads: [], tracks: [], time: 0, series: [], events: [],
    events_left_out: 0, thinning: { every: 1, frames_of_run: 0, most_bytes: 1e7, left_out: [] }, verify: null, scenery: [],
  };
  constructor(title, frames, dt) {
    this.header.title = title;
    this.header.thinning.frames_of_run = frames;
    this.frames = frames;
    this.arrays = [Float64Array.from({ length: frames }, (_, i) => i * dt)];
  }
  array(values) {
    return this.arrays.push(values) - 1;
  }
  series(path, quantity, items, columns, units, value) {
    const out = new Float32Array(items.length * columns.length * this.frames);
    let at = 0;
    for (let i = 0; i < items.length; i++)
      for (let c = 0; c < columns.length; c++) for (let f = 0; f < this.frames; f++) out[at++] = value(f, i, c);
    this.header.series.push({ path, quantity, items, columns, units, values: this.array(out) });
  }
  body(name, shapes, mass = 1) {
    this.header.bodies.push({ name, kind: "rigid", mass, com: [0, 0, 0], inertia: [0.01, 0.01, 0.01, 0, 0, 0], shapes });
  }
  joint(name, type, a, b, free = [], track = "") {
    this.header.joints.push({ name, type, a, b, track, frame_a: POSE, frame_b: POSE, free });
  }
  /** Places and turns of all bodies: pose(frame, body) gives seven numbers. */
  move(pose) {
    const names = this.header.bodies.map((b) => b.name);
    const poses = names.map((_, i) => Array.from({ length: this.frames }, (__, f) => pose(f, i)));
    this.series("/bodies/position", "position", names, ["x", "y", "z"], ["m", "m", "m"], (f, i, c) => poses[i][f][c]);
    this.series("/bodies/orientation", "orientation", names, ["w", "x", "y", "z"], ["1", "1", "1", "1"], (f, i, c) => poses[i][f][3 + c]);
  }
  page() {
    const html = readFileSync(new URL("../dist/index.html", import.meta.url), "utf8");
    const [before, after] = html.split("<!--run-->");
    return `${before}<script id="run" type="text/plain">${packed(this.header, this.arrays)}</script>${after}`;
  }
}

/** n x n balls in a square net whose waves run outwards; springs between neighbours. */
export function net(n = 100) {
  const run = new Made(`Net of ${n * n}`, 60, 0.05);
  const at = (i, j) => `m${i}_${j}`;
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      run.body(at(i, j), [{ kind: "sphere", pose: POSE, size: [0.02, 0, 0] }], 0.01);
      if (i > 0) run.joint(`u${i}_${j}`, "distance", at(i - 1, j), at(i, j), [{ name: "length", row: "sqrt(D.D)", unit: "m" }]);
      if (j > 0) run.joint(`v${i}_${j}`, "distance", at(i, j - 1), at(i, j), [{ name: "length", row: "sqrt(D.D)", unit: "m" }]);
    }
  run.header.laws = run.header.joints.map((j) => ({ name: `s_${j.name}`, type: "spring", joint: j.name, coordinate: "length" }));
  run.move((f, k) => {
    const [x, y] = [0.1 * (Math.floor(k / n) - n / 2), 0.1 * ((k % n) - n / 2)];
    const r = Math.hypot(x, y);
    return [x, y, (0.6 * Math.sin(3 * r - 0.2 * f)) / (1 + r), 1, 0, 0, 0];
  });
  return run;
}

/** n boxes on pins, which wave. */
export function train(n = 600) {
  const run = new Made(`Chain of ${n}`, 300, 0.02);
  for (let i = 0; i < n; i++) {
    run.body(`link${i}`, [{ kind: "box", pose: POSE, size: [0.9, 0.1, 0.1] }, { kind: "cylinder", pose: [0.4, 0, 0, 1, 0, 0, 0], size: [0.1, 0.3, 0], axis: [0, 1, 0] }]);
    run.joint(`pin${i}`, "revolute", i > 0 ? `link${i - 1}` : "", `link${i}`, [{ name: "angle", row: "atan2(Ax.Bz, Az.Bz)", unit: "rad" }]);
  }
  run.move((f, i) => {
    const turn = 0.2 * Math.sin(0.05 * i - 0.1 * f);
    return [i, 0, 4 * Math.cos(0.05 * i - 0.1 * f), Math.cos(turn / 2), 0, Math.sin(turn / 2), 0];
  });
  run.series("/bodies/velocity", "velocity", run.header.bodies.map((b) => b.name), ["x", "y", "z"], ["m/s", "m/s", "m/s"], (f, i, c) =>
    c === 2 ? 20 * Math.sin(0.05 * i - 0.1 * f) : 0);
  return run;
}

/** A bit of all that can be looked at: own colours, scenery, a veil, a track with its vehicle, a law, what verify found. */
export function looks() {
  const run = new Made("Looks", 101, 0.1);
  const R = 20;
  const shape = (kind, size, more = {}) => ({ kind, pose: POSE, size, axis: [0, 0, 1], ...more });
  run.body("car", [shape("box", [2, 1, 1], { color: "#ff2200" })], 10);
  run.body("drum", [shape("cylinder", [1, 2, 0])], 5);
  run.body("hidden", [shape("sphere", [0.4, 0, 0])], 1);
  run.joint("wheel", "vehicle-on-track", "", "car", [{ name: "s", row: "s", unit: "m" }], "ring");
  run.header.laws.push({ name: "traction", type: "force", joint: "wheel", coordinate: "s" });
  run.header.scenery.push(shape("box", [4, 4, 0.5], { pose: [-8, 0, 0.25, 1, 0, 0, 0], color: "#00cc44" }));
  const angle = (f) => (4 * Math.PI * f) / 100;
  run.move((f, i) => {
    const a = angle(f);
    return i === 0 ? [R * Math.sin(a), R * (1 - Math.cos(a)), 1, Math.cos(a / 2 + 0.3), 0, 0, Math.sin(a / 2 + 0.3)] /* askew on its track */ : [4, -6, 1, 1, 0, 0, 0];
  });
  const points = [];
  for (let i = 0; i <= 360; i++) {
    const a = (i * Math.PI) / 180;
    points.push(R * a, R * Math.sin(a), R * (1 - Math.cos(a)), 0, Math.cos(a), Math.sin(a), 0, -Math.sin(a), Math.cos(a), 0);
  }
  run.header.tracks.push({ name: "ring", body: "", pose: POSE, closed: true, points: run.array(Float32Array.from(points)) });
  run.series("/joints/coordinates", "", ["wheel.s"], [""], ["m"], (f) => R * angle(f));
  run.series("/joints/reactions", "reaction", ["wheel"], ["fx", "fy", "fz", "tx", "ty", "tz"], ["N", "N", "N", "N m", "N m", "N m"], (f, i, c) => (c === 1 ? 100 : 0));
  run.series("/laws/force", "force", ["traction"], [""], ["N"], () => 50);
  run.series("/solver", "", ["solver"], ["iterations", "gap"], ["1", "m"], (f, i, c) => (c === 0 ? 1 + (f % 3) : 10 ** (-12 + (f % 4))));
  const level = (step, m) => ({ run: `step ${step} s`, step, accuracy: null, error: { m, rad: m } });
  run.header.verify = {
    status: "disagrees", scene: "looks", horizon: 1, duration: 10, step: 0.1, size: 40, distance: { m: 1e-3, rad: 1e-3 }, chaotic_beyond: null,
    findings: ["one way is off"], ill_posed: [], unfinished: [], pairs: [], not_compared: [],
    series: [{ name: "velocity, rattle, order 2", nominal_order: 2, observed_order: 2.01, failure: "", note: "", chaotic_beyond: null,
      levels: [level(0.1, 4e-4), level(0.05, 1e-4), level(0.025, 0)], error: { m: 4e-4, rad: 4e-4 }, uncertainty: { m: 1e-6, rad: 1e-6 } }],
  };
  return run;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [kind, file, n] = process.argv.slice(2);
  const makers = { net, train, looks };
  if (!makers[kind] || !file) throw new Error("node browser/made.mjs net|train|looks FILE.html [N]");
  const html = makers[kind](n ? Number(n) : undefined).page();
  writeFileSync(file, html);
  console.log(`${file}: ${(html.length / 1e6).toFixed(2)} MB`);
}
