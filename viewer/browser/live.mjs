// Runs that grow and runs that are driven, in Chromium, against the program itself (docs/live.md).
//   node browser/live.mjs TRAMMEL OUT_DIR [PICTURES_DIR]
// Exits with 1 where something is wrong.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { comparePositions, Faults, launch, openAt, pictures, Served, stateOf, until } from "./page.mjs";

const [trammel, out, folder] = process.argv.slice(2);
const scenes = fileURLToPath(new URL("../../scenes", import.meta.url));
const faults = new Faults();
const shot = pictures(folder);
const browser = await launch();
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
mkdirSync(out, { recursive: true });

const run = (...args) => execFileSync(trammel, args, { stdio: ["ignore", "ignore", "ignore"], maxBuffer: 1e9 });
const exported = (dir) => {
  run("export", dir, "--json", "-o", `${dir}.json`);
  return JSON.parse(readFileSync(`${dir}.json`, "utf8"));
};
const hashOf = (dir) => JSON.parse(readFileSync(join(dir, "summary.json"), "utf8")).state_hash;
async function readable(dir) {
  for (let i = 0; i < 200 && !existsSync(join(dir, "results.h5")); i++) await wait(50);
  await wait(400);
}

/** A run that goes on beside the page that shows it. */
async function grow() {
  const dir = join(out, "grows");
  rmSync(dir, { recursive: true, force: true });
  const solver = spawn(trammel, ["run", join(scenes, "stn02_wagon.toml"), "-o", dir, "--quiet", "--no-plots", "--duration", "20 s", "--step", "20 us"], { stdio: "ignore" });
  const over = new Promise((done) => solver.on("exit", done));
  await readable(dir);
  const served = new Served(trammel, ["view", dir]);
  const page = await openAt(browser, await served.address, faults);
  const early = await stateOf(page);
  faults.wanted(early.following && !early.ended, `a run that goes on is not followed: ${JSON.stringify(early)}`);
  faults.wanted((await page.locator(".drive").count()) === 0, "what is only looked at has levers");
  await page.locator("#tab-Plots").click();
  await page.locator("#panel-Plots input[aria-label=\"Find channels\"]").fill("front.speed");
  await page.locator("#panel-Plots [role=option]", { hasText: "front.speed" }).first().click();
  const more = await until(page, (s) => s.frames > early.frames + 20);
  faults.wanted(more, "no frames come");
  await shot(page, "view-grows-light");
  await page.locator(".picture canvas").focus();
  await page.keyboard.press("Home");
  const back = await stateOf(page);
  await wait(700);
  const still = await stateOf(page);
  faults.wanted(back.t === still.t && !still.following && still.t === 0, "what was scrubbed back does not stay there");
  await page.locator("button.live").click();
  faults.wanted((await until(page, (s) => s.following && s.end - s.t < 2, 3000)) !== null, "the live button does not go to the newest frame");
  await over;
  const ended = await until(page, (s) => s.ended, 15000);
  faults.wanted(ended, "the page does not hear of the end");
  await wait(600);
  const drawn = await page.locator("#panel-Plots .chart").count();
  faults.wanted(drawn === 1, `${drawn} plots in the place of one`);
  const whole = exported(dir);
  const frames = whole.channels.find((c) => c.name === "time").values.length;
  faults.wanted(ended?.frames === frames, `${ended?.frames} frames in the page, ${frames} in the results`);
  const n = await comparePositions(page, whole, faults, [0, 0.1, 0.33, 0.5, 0.77, 0.95, 1]);
  await shot(page, "view-ended-light");
  console.log(`view: ${early.frames} frames at first, ${ended?.frames} at the end, ${n} numbers as in the results`);
  page.lost = true;
  await served.stop();
  const lost = await until(page, (s) => !s.connected, 5000);
  faults.wanted(lost && lost.frames === frames, "a lost connection is not noticed, or takes frames along");
  await page.close();
}

const xy = (page, body) => page.evaluate((name) => {
  const { names, positions, app } = window.trammel;
  return positions(app.run.end).slice(3 * names.indexOf(name), 3 * names.indexOf(name) + 3);
}, body);

/** A run that is driven with keys; a second page watches, takes over, and is closed. */
async function drive() {
  const dir = join(out, "driven");
  rmSync(dir, { recursive: true, force: true });
  const served = new Served(trammel, ["play", join(scenes, "drive/tower_crane.toml"), "-o", dir, "--quiet", "--no-plots"]);
  const address = await served.address;
  const page = await openAt(browser, address, faults, undefined, "dark");
  const first = await until(page, (s) => s.driver && s.state === "running" && s.end > 0.5);
  faults.wanted(first, "the first page does not drive");
  await page.locator(".picture canvas").focus();
  const before = await xy(page, "load");
  await page.keyboard.down("a");
  const pushed = await until(page, (s) => s.inputs[0] > 0.06);
  faults.wanted(pushed, `a key that is held does not move its input: ${JSON.stringify(await stateOf(page))}`);
  faults.wanted(Math.abs(pushed.inputs[0] - (4 * Math.PI) / 180) < 1e-9 || pushed.inputs[0] < 0.0698, `the input goes beyond its range: ${pushed.inputs[0]}`);
  await page.keyboard.down("f");
  await wait(1500);
  await shot(page, "play-dark");
  await page.keyboard.up("f");
  await page.keyboard.up("a");
  const let_go = await until(page, (s) => s.inputs[0] === 0 && s.inputs[2] === 0);
  faults.wanted(let_go, "inputs do not come back to rest");
  const after = await xy(page, "load");
  faults.wanted(after[1] - before[1] > 0.2 && before[2] - after[2] > 0.3, `the load does not go along: ${before} to ${after}`);

  await page.keyboard.press(" ");
  faults.wanted(await until(page, (s) => s.state === "paused"), "space does not pause");
  const paused = await stateOf(page);
  await page.locator(".drive button", { hasText: "step" }).click();
  await wait(400);
  await page.keyboard.press(" ");
  faults.wanted(await until(page, (s) => s.state === "running" && s.end > paused.end + 0.2), "space does not go on");

  const watcher = await openAt(browser, address, faults, { width: 390, height: 844 });
  faults.wanted(await until(watcher, (s) => s.state === "running" && s.driver === false), "the second page drives too");
  faults.wanted(!(await watcher.evaluate(() => document.documentElement.scrollWidth > innerWidth)), "wider than a phone");
  faults.wanted(await watcher.locator(".levers input").first().isDisabled(), "a watcher has levers that move");
  await shot(watcher, "play-phone-light");
  await watcher.locator("button", { hasText: "take over" }).click();
  faults.wanted(await until(watcher, (s) => s.driver), "a page cannot take over");
  faults.wanted(await until(page, (s) => s.driver === false), "the page that drove does not hear that another one does");
  await watcher.locator(".levers input").nth(1).fill("0.9");
  faults.wanted(await until(watcher, (s) => s.inputs[1] > 0.89), "a slider does not move its input");
  await watcher.locator(".levers button", { hasText: "rest" }).nth(1).click();
  faults.wanted(await until(watcher, (s) => s.inputs[1] === 0), "rest is not gone to");
  await watcher.close();
  faults.wanted(await until(page, (s) => s.state === "paused"), "the run does not pause when its driver goes");
  await page.locator("button", { hasText: "take over" }).click({ timeout: 5000 }).catch(() => {});
  faults.wanted(await until(page, (s) => s.driver), "the page that is left does not drive");
  await rewind(page);
  await page.locator(".drive button", { hasText: "stop" }).click();
  const ended = await until(page, (s) => s.ended);
  faults.wanted(ended, "stop does not end the run");
  await wait(500);
  const n = await comparePositions(page, exported(dir), faults, undefined, true);
  await shot(page, "play-ended-dark");
  page.lost = true;
  await served.stop();
  const again = join(out, "again");
  run("run", join(scenes, "drive/tower_crane.toml"), "--inputs", join(dir, "inputs.csv"), "-o", again, "--force", "--duration", `${ended.end} s`);
  console.log(`play: ${ended.end} s, ${n} numbers as in the results; driven ${hashOf(dir)}, from its inputs ${hashOf(again)}`);
  faults.wanted(hashOf(dir) === hashOf(again), "the recorded inputs give another run");
  await page.close();
}

async function rewind(page) {
  await page.locator(".drive button", { hasText: "go" }).click();
  const s = await until(page, (x) => x.end > 5.5 && x.checkpoints.length > 0, 30000);
  if (!s) return faults.add("there is no checkpoint to go back to");
  const to = s.checkpoints[s.checkpoints.length - 1];
  await page.getByLabel("Back to a checkpoint").selectOption(String(to));
  const back = await until(page, (x) => Math.abs(x.end - to) < 0.05);
  faults.wanted(back && Math.abs(back.t - back.end) < 0.05, `not taken back to ${to} s: ${JSON.stringify(await stateOf(page))}`);
  await page.locator(".drive button", { hasText: "go" }).click();
  faults.wanted(await until(page, (x) => x.end > to + 0.5), "it does not go on after it was taken back");
}

const CART = `format = 1
name = "cart"
[simulation]
duration = "5 min"
step = "1 ms"
output_step = "20 ms"
[[body]]
name = "cart"
mass = "2 kg"
box = ["40 cm", "20 cm", "10 cm"]
[[joint]]
name = "rail"
type = "prismatic"
b = "cart"
at = [0, 0, 0]
axis = [1, 0, 0]
[[input]]
name = "speed"
from = "-2 m/s"
to = "2 m/s"
rest = 0
keys = ["ArrowLeft", "ArrowRight"]
axis = 0
text = "of the cart"
[[input]]
name = "boost"
unit = "m/s"
rest = 0
text = "without bounds"
[[law]]
name = "drive"
type = "motor"
joint = "rail"
force_limit = "1 kN"
velocity = "speed + boost"
`;

/** Keys that the viewer has itself, a gamepad, a field for an input without bounds, one without keys. */
async function devices() {
  const scene = join(out, "cart.toml");
  writeFileSync(scene, CART);
  const served = new Served(trammel, ["play", scene, "-o", join(out, "cart"), "--force", "--quiet"]);
  const page = await openAt(browser, await served.address, faults);
  await until(page, (s) => s.end > 0.3);
  await page.locator(".picture canvas").focus();
  await page.keyboard.down("ArrowRight");
  const pressed = await until(page, (s) => s.inputs[0] > 1.9);
  faults.wanted(pressed?.following, "an arrow key that drives steps the picture, or does not drive");
  await page.keyboard.up("ArrowRight");
  faults.wanted(await until(page, (s) => s.inputs[0] === 0), "the speed does not come back to rest");
  await page.evaluate(() => {
    window.pad = { axes: [-0.54, 0] };
    navigator.getGamepads = () => [null, window.pad];
  });
  faults.wanted(await until(page, (s) => Math.abs(s.inputs[0] + 1) < 1e-9), "the axis of a gamepad does not drive");
  await page.evaluate(() => (window.pad.axes[0] = 0.01));
  faults.wanted(await until(page, (s) => s.inputs[0] === 0), "an axis that is let go does not bring its input to rest");
  const field = page.locator(".lever input[type=number]");
  await field.fill("7.5");
  await field.press("Enter");
  faults.wanted(await until(page, (s) => s.inputs[1] === 7.5), "the field of an input without bounds does nothing");
  await page.locator("#tab-Selection").click();
  const moved = await xy(page, "cart");
  await until(page, (s) => s.end > 3);
  faults.wanted((await xy(page, "cart"))[0] > moved[0] + 0.5, "the cart does not go on");
  await page.close();
  await served.stop();
}

/** The program is killed: what came stays, and the page says so. */
async function kill() {
  const dir = join(out, "killed");
  const served = new Served(trammel, ["play", join(scenes, "drive/wagon.toml"), "-o", dir, "--force", "--quiet", "--no-plots"]);
  const page = await openAt(browser, await served.address, faults);
  faults.wanted(await until(page, (s) => s.end > 1), "the wagon does not run");
  page.lost = true;
  await served.stop("SIGKILL");
  const lost = await until(page, (s) => !s.connected);
  faults.wanted(lost?.end >= 1, "frames are lost with the connection");
  faults.wanted(await page.locator(".banner.lost").isVisible(), "nothing is said of the lost connection");
  await shot(page, "play-killed-light");
  await page.close();
}

await grow();
await drive();
await devices();
await kill();
await browser.close();
process.exit(faults.list.length > 0 ? 1 : 0);
