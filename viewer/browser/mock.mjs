// Serves the page as 'trammel play' does (docs/live.md), with the frames of a report in the place of a solver:
//   node browser/mock.mjs REPORT.html [PORT] [view|play]
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { deflateSync, inflateSync } from "node:zlib";
import { WebSocketServer } from "ws";

const [report, port = "8799", mode = "play"] = process.argv.slice(2);
const page = readFileSync(new URL("../dist/index.html", import.meta.url), "utf8");
const whole = decode(/<script id="run"[^>]*>([^<]*)</.exec(readFileSync(report, "utf8"))[1]);
const inputs = [
  { name: "slew", unit: "rad/s", rest: 0, from: -0.07, to: 0.07, keys: ["a", "d"], axis: 0, rate: 0.14, returns: true, text: "slewing, to the left" },
  { name: "trolley_speed", unit: "m/s", rest: 0, from: -1.2, to: 1.2, keys: ["ArrowDown", "ArrowUp"], axis: 1, rate: 2.4, returns: true, text: "trolley, outwards" },
  { name: "throttle", unit: "1", rest: 0, from: 0, to: 1, keys: ["w"], axis: -1, rate: 0.5, returns: false, text: "share of 60 kN" },
  { name: "free", unit: "m", rest: 2, from: null, to: null, keys: [], axis: -1, rate: 1, returns: false, text: "without bounds" },
];

function decode(base64) {
  const bytes = inflateSync(Buffer.from(base64.trim(), "base64"));
  const length = bytes.readUInt32LE(8);
  const header = JSON.parse(bytes.subarray(12, 12 + length).toString());
  const arrays = header.arrays.map(({ offset, count, bytes: size }) => {
    const out = Buffer.alloc(count * size);
    for (let k = 0; k < size; k++) for (let i = 0; i < count; i++) out[i * size + k] = bytes[12 + length + offset + k * count + i];
    return size === 8 ? new Float64Array(out.buffer, out.byteOffset, count) : new Float32Array(out.buffer.slice(out.byteOffset, out.byteOffset + 4 * count));
  });
  return { header, arrays, frames: header.arrays[header.time].count };
}

function packed(frames) {
  const { header, arrays } = whole;
  const growing = new Set([header.time, ...header.series.map((s) => s.values)]);
  const places = [];
  const parts = [];
  let offset = 0;
  arrays.forEach((a, i) => {
    let v = a;
    if (growing.has(i)) {
      const columns = a.length / whole.frames;
      v = new a.constructor(columns * frames);
      for (let c = 0; c < columns; c++) v.set(a.subarray(c * whole.frames, c * whole.frames + frames), c * frames);
    }
    const bytes = Buffer.from(v.buffer, v.byteOffset, v.byteLength);
    const planes = Buffer.alloc(bytes.length);
    const size = v.BYTES_PER_ELEMENT;
    for (let k = 0; k < size; k++) for (let n = 0; n < v.length; n++) planes[k * v.length + n] = bytes[n * size + k];
    places.push({ offset, count: v.length, bytes: size });
    offset += planes.length;
    parts.push(planes);
  });
  const live = { mode, step: 0.002, end: 300, inputs: mode === "play" ? inputs : [] };
  const displays = ["score", "off", "height"].map((name) => ({ name, unit: name === "score" ? "1" : "m", text: `of ${name}` }));
  const text = Buffer.from(JSON.stringify({ ...header, ending: "running", finished: "no: running", events: [], arrays: places, live, displays }));
  const head = Buffer.alloc(12);
  head.write("TRAMMEL1");
  head.writeUInt32LE(text.length, 8);
  return deflateSync(Buffer.concat([head, text, ...parts]));
}

function more(from, to) {
  const { header, arrays } = whole;
  const columns = header.series.map((s) => [s.values, s.items.length * s.columns.length]);
  const width = columns.reduce((n, [, c]) => n + c, 0);
  const out = Buffer.alloc(16 + (to - from) * (8 + 4 * width));
  out.write("TRAMMEL+");
  out.writeUInt32LE(to - from, 8);
  out.writeUInt32LE(width, 12);
  let at = 16;
  for (let f = from; f < to; f++) {
    at = out.writeDoubleLE(arrays[header.time][f], at);
    for (const [i, n] of columns) for (let c = 0; c < n; c++) at = out.writeFloatLE(arrays[i][c * whole.frames + f], at);
  }
  return out;
}

const state = { frame: 1, running: true, speed: 1, inputs: inputs.map((i) => i.rest), ended: false };
const time = (f) => whole.arrays[whole.header.time][f - 1];
const server = createServer((_, answer) =>
  answer.end(page.replace("<!--run-->", () => '<script id="live" type="application/json">{"socket": "/live?token=T"}</script>')),
);
const sockets = new WebSocketServer({ server });
const all = (data) => sockets.clients.forEach((s) => s.send(data));
let driver = null;
const status = () => {
  const name = state.ended ? "finished" : state.running ? "running" : "paused";
  for (const s of sockets.clients)
    s.send(JSON.stringify({ type: "status", state: name, t: time(state.frame), speed: state.speed, pace: 0.98, late: state.speed > 2, driver: s === driver, inputs: state.inputs, checkpoints: [0, 5, 10, 15].filter((t) => t <= time(state.frame)), message: "" }));
};
function command(s, text) {
  console.log(text);
  const [what, a, b] = text.split(" ");
  if (what === "take") driver = s;
  else if (s !== driver) return s.send(JSON.stringify({ type: "refused", text: `${what}: another page drives` }));
  if (what === "input") state.inputs[inputs.findIndex((i) => i.name === a)] = Number(b);
  if (what === "pause" || what === "go") state.running = what === "go";
  if (what === "speed") state.speed = Number(a);
  if (what === "stop") finish();
  if (what === "step") advance(1);
  if (what === "rewind") {
    while (state.frame > 1 && time(state.frame) > Number(a) + 1e-9) state.frame--;
    all(JSON.stringify({ type: "back", t: time(state.frame) }));
  }
  status();
}
function finish() {
  state.ended = true;
  all(JSON.stringify({ type: "end", ending: whole.header.ending, finished: whole.header.finished, summary: whole.header.summary }));
}
function advance(by) {
  const to = Math.min(whole.frames, state.frame + by);
  if (to > state.frame) all(more(state.frame, to));
  for (let f = state.frame; f < to; f++)
    if (f % 100 === 0) all(JSON.stringify({ type: "events", events: [{ t: time(f + 1), kind: "sensor", subject: "s", text: `frame ${f}`, value: null, unit: "" }] }));
  state.frame = to;
  if (to === whole.frames && !state.ended) finish();
}
sockets.on("connection", (s) => {
  driver ??= s;
  s.send(packed(state.frame));
  s.on("message", (m) => command(s, m.toString()));
  s.on("close", () => driver === s && (driver = null));
  status();
});
setInterval(() => state.running && !state.ended && advance(Math.max(1, Math.round(2 * state.speed))), 33);
setInterval(status, 100);
server.listen(Number(port), "127.0.0.1", () => console.log(`http://127.0.0.1:${port}/`));
