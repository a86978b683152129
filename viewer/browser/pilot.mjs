// Drives the scenes of scenes/drive to their ends in Chromium, by their sliders, and keeps what was recorded.
//   node browser/pilot.mjs TRAMMEL OUT_DIR [PICTURES_DIR]
// The recordings are OUT_DIR/SCENE/inputs.csv; scenes/drive has those that are shipped. Exits with 1 where a score is poor.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Faults, launch, openAt, pictures, Served, until } from "./page.mjs";

const [trammel, out, folder] = process.argv.slice(2);
const scenes = fileURLToPath(new URL("../../scenes/drive", import.meta.url));
const faults = new Faults();
const shot = pictures(folder);

// What follows runs in the page, 30 times a second: `now(channel)`, `move(input, value)`, time t.

/**
 * Speeds up and down over a period of the swinging load, which then does not swing, to the middle of the mark; lets the load down
 * once it is over it, slowly over the ground.
 */
function crane({ t, now, move }) {
  const ramp = 8.3; // [s], of 17 m of rope
  const plan = (whole, most) => {
    const speed = Math.min(most, whole / (ramp + 1));
    const flat = whole / speed - ramp;
    const v = speed * Math.max(0, Math.min(t / ramp, 1, (2 * ramp + flat - t) / ramp));
    const s1 = Math.min(t, ramp);
    const s2 = Math.max(0, Math.min(t - ramp, flat));
    const s3 = Math.max(0, Math.min(t - ramp - flat, ramp));
    return { v, x: speed * ((s1 * s1) / (2 * ramp) + s2 + s3 - (s3 * s3) / (2 * ramp)), over: 2 * ramp + flat };
  };
  const slew = plan(Math.atan2(18, 9), (3.8 * Math.PI) / 180);
  const out = plan(Math.hypot(9, 18) - 12, 1);
  move("slew", slew.v + 0.5 * (slew.x - now("slewing.angle")));
  move("trolley_speed", out.v + 0.5 * (out.x - now("runway.travel")));
  const height = now("height");
  move("hoist_speed", t < Math.max(slew.over, out.over) + 3 ? 0 : Math.min(0.6, Math.max(0.12, 0.4 * height)));
}

/** Up to 80 km/h, and along a parabola of braking to the signal; holds the wagon there. */
function wagon({ now, move }) {
  const v = now("wagon.front.speed");
  const way = now("to_signal") - 0.4;
  const most = Math.min(80 / 3.6, Math.sqrt(2 * 0.5 * Math.max(0, way)));
  const braking = most < 80 / 3.6 ? 0.5 : 0;
  if (way < 0.05 || (way < 3 && v < 0.12)) {
    move("throttle", 0);
    return move("brake", 1);
  }
  const wanted = 1.2 * (most - v) - (v > most - 1 ? braking : 0); // [m/s^2]
  move("throttle", Math.max(0, Math.min(1, wanted / 0.75)));
  move("brake", Math.max(0, Math.min(1, -wanted / 1.1)));
}

async function pilot(browser, name, hand, speed) {
  const dir = join(out, name);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const served = new Served(trammel, ["play", join(scenes, `${name}.toml`), "-o", dir, "--quiet", "--no-plots", "--speed", String(speed)]);
  const page = await openAt(browser, await served.address, faults);
  page.lost = true; // the program goes when the run is over
  await page.evaluate((text) => {
    const hand = new Function(`return ${text}`)();
    const { app } = window.trammel;
    const fields = new Map(app.drive.levers.map((l, i) => [l.spec.name, document.querySelectorAll(".lever input")[i]]));
    const now = (channel) => app.run.at(app.run.find(channel), app.run.end);
    const move = (input, value) => {
      const field = fields.get(input);
      field.value = String(value);
      field.dispatchEvent(new Event("input"));
    };
    setInterval(() => app.live.drives && hand({ t: app.run.end, now, move }), 33);
  }, hand.toString());
  const middle = await until(page, (s) => s.end > 20, 60000);
  if (!middle) faults.add(`${name} does not go on`);
  await shot(page, `pilot-${name}-on-the-way`);
  const ended = await until(page, (s) => s.ended, 300000);
  if (!ended) faults.add(`${name} does not come to its end`);
  await new Promise((done) => setTimeout(done, 1000));
  await shot(page, `pilot-${name}-there`);
  const shown = (await page.locator(".display").allInnerTexts()).map((s) => s.replace(/\s+/g, " ").trim());
  const said = Number(await page.locator(".display", { hasText: "score" }).locator(".number").innerText());
  const values = await page.evaluate(() => {
    const { run } = window.trammel.app;
    const most = (n) => (run.find(n) ? run.values(run.find(n)).reduce((a, b) => Math.max(a, b)) : null);
    return { score: run.at(run.find("score"), run.end), speed: most("speed") };
  });
  if (values.speed !== null && values.speed > 90) faults.add(`${name}: ${values.speed} km/h are too fast`);
  if (!(Math.abs(said - values.score) < 0.01)) faults.add(`${name}: the page says a score of ${said}`);
  if (!(values.score > 50)) faults.add(`${name}: the score is ${values.score}`);
  await page.close();
  await served.stop();
  const again = join(out, `${name}-again`);
  execFileSync(trammel, ["run", join(scenes, `${name}.toml`), "--inputs", join(dir, "inputs.csv"), "-o", again, "--force", "--quiet"], { stdio: "ignore" });
  const hash = (d) => JSON.parse(readFileSync(join(d, "summary.json"), "utf8")).state_hash;
  if (hash(dir) !== hash(again)) faults.add(`${name}: driven ${hash(dir)}, from its inputs ${hash(again)}`);
  const lines = readFileSync(join(dir, "inputs.csv"), "utf8").split("\n").length - 1;
  console.log(`${name}: score ${values.score.toFixed(2)} after ${ended?.end} s, ${lines} lines of inputs, state ${hash(again)}\n  ${shown.join("\n  ")}`);
}

const browser = await launch();
await pilot(browser, "tower_crane", crane, 1);
await pilot(browser, "wagon", wagon, 2);
await browser.close();
process.exit(faults.list.length > 0 ? 1 : 0);
