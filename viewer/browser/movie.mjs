// Films a report as 'trammel movie' does, twice: every picture must be the same to the last bit.
//   node browser/movie.mjs REPORT.html [PICTURES_DIR]
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join, resolve } from "node:path";
import { WebSocketServer } from "ws";
import { launch } from "./page.mjs";

const [report, pictures] = process.argv.slice(2);
const faults = [];
const name = basename(resolve(report, ".."));
const order = { socket: "/movie?token=T", fps: 30, speed: 1, width: 640, height: 360, camera: "orbit", from: 0, to: 1, theme: "light" };

/** The pictures, and the last words of the page. */
async function film(browser, changed) {
  const wanted = { ...order, ...changed };
  const page = readFileSync(report, "utf8").replace("<div id=\"app\">", (div) => `<script id="movie" type="application/json">${JSON.stringify(wanted)}</script>${div}`);
  const server = createServer((_, answer) => answer.setHeader("content-type", "text/html").end(page));
  const sockets = new WebSocketServer({ server });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const shots = [];
  const words = new Promise((done) =>
    sockets.on("connection", (s) => {
      s.on("message", (data, binary) => {
        if (!binary) return done(data.toString());
        shots.push(data);
        setTimeout(() => s.send("next"), changed?.slow ? 15 * (shots.length % 5) : 0);
      });
      s.on("close", () => done("the page went away"));
    }),
  );
  const begun = Date.now();
  const tab = await browser.newPage({ viewport: { width: 500, height: 400 } });
  tab.on("pageerror", (e) => faults.push(`error: ${e.message}`));
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  const last = await words;
  await tab.close();
  sockets.close();
  server.close();
  return { shots, last, ms: Date.now() - begun };
}

const browser = await launch();
for (const camera of ["orbit", "follow", "trackside"]) {
  const [a, b] = [await film(browser, { camera }), await film(browser, { camera, slow: true })];
  const hash = (shots) => shots.map((s) => createHash("sha256").update(s).digest("hex").slice(0, 12));
  if (a.last !== "done 31" || a.shots.length !== 31) faults.push(`${camera}: ${a.shots.length} pictures, "${a.last}"`);
  const [x, y] = [hash(a.shots), hash(b.shots)];
  const other = x.findIndex((h, i) => h !== y[i]);
  if (other >= 0) faults.push(`${camera}: picture ${other} differs when pictures are taken more slowly`);
  if (new Set(x).size < 2) faults.push(`${camera}: all pictures are the same`);
  const [w, h] = [a.shots[0].readUInt32BE(16), a.shots[0].readUInt32BE(20)]; // of a PNG
  if (w !== order.width || h !== order.height) faults.push(`${camera}: pictures of ${w} x ${h}`);
  console.log(`${name}, ${camera}: ${a.shots.length} pictures of ${w} x ${h} in ${a.ms} ms, ${Math.round(a.shots[15].length / 1000)} kB each`);
  if (pictures) {
    mkdirSync(pictures, { recursive: true });
    writeFileSync(join(pictures, `${name}-movie-${camera}.png`), a.shots[20]);
  }
}
await browser.close();
for (const text of new Set(faults)) console.log(`fault: ${text}`);
process.exit(faults.length > 0 ? 1 : 0);
