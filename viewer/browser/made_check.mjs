// Made-up runs in Chromium: what is drawn of colours, scenery, tracks and many bodies, charts and their files, lists.
//   node browser/made_check.mjs [PICTURES_DIR]
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { looks, net } from "./made.mjs";

const [pictures] = process.argv.slice(2);
const faults = [];
const hold = (ok, text) => ok || faults.push(text);
const folder = mkdtempSync(join(tmpdir(), "made-"));
if (pictures) mkdirSync(pictures, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"],
});

async function open(name, run) {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, run.page());
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, reducedMotion: "reduce", acceptDownloads: true });
  page.on("console", (m) => m.type() === "error" && faults.push(`${name}: console: ${m.text()}`));
  page.on("pageerror", (e) => faults.push(`${name}: ${e.message}`));
  page.on("request", (r) => /^(file|data|blob):/.test(r.url()) || faults.push(`${name}: a request to ${r.url()}`));
  const begun = Date.now();
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes", null, { timeout: 60000 });
  console.log(`${name}: open after ${Date.now() - begun} ms`);
  return page;
}
const shot = async (page, name) => pictures && (await page.screenshot({ path: join(pictures, `${name}.png`) }));

/** Pictures are drawn while something moves, and no more. */
async function rests(page) {
  const count = () => page.evaluate(() => window.trammel.app.picture.drawn.pictures);
  await page.waitForTimeout(3000);
  const before = await count();
  await page.waitForTimeout(800);
  hold((await count()) === before, "pictures are drawn though nothing moves");
  await page.evaluate(() => window.trammel.app.clock.set(window.trammel.app.clock.t + 0.05));
  await page.waitForTimeout(500);
  hold((await count()) > before, "no picture is drawn after the time was set");
}

async function seen(page) {
  const got = await page.evaluate(() => {
    const { app } = window.trammel;
    const { picture } = app;
    const pieces = picture.bodies.batches.map((b) => [b.piece.look, b.piece.colour ?? "", b.paint.opacity]);
    const box = picture.scenery.bounds;
    app.clock.set(2.5); // a quarter of two rounds: halfway round the ring
    app.look.toggle("forces");
    app.look.toggle("laws");
    const [force] = picture.arrows.forces.ends;
    const [law] = picture.laws.quiver.ends;
    const way = (e) => e.tip.clone().sub(e.from).normalize().toArray();
    return { pieces, scenery: [box.min.x, box.max.z], force: way(force), law: way(law) };
  });
  hold(got.pieces.some(([look, c]) => look === "solid" && c === "#ff2200"), "a shape lost its colour");
  hold(got.pieces.some(([look, , opacity]) => look === "veil" && opacity < 1), "what hides a body is no veil");
  hold(got.scenery[0] === -10 && got.scenery[1] === 0.5, `scenery lies elsewhere: ${got.scenery}`);
  const close = (a, b) => a.every((x, i) => Math.abs(x - b[i]) < 1e-3);
  hold(close(got.force, [0, -1, 0]), `the reaction is not along the line's left: ${got.force}`);
  hold(close(got.law, [-1, 0, 0]), `the law is not along the line: ${got.law}`);
}

async function picks(page) {
  const at = (place) => page.evaluate((p) => {
    const { picture } = window.trammel.app;
    const v = picture.extent.centres[0].clone().set(...p).project(picture.stage.camera);
    const box = picture.stage.canvas.getBoundingClientRect();
    const found = picture.pick(((v.x + 1) / 2) * box.width, ((1 - v.y) / 2) * box.height);
    return found && `${found.kind} ${found.index}`;
  }, place);
  await page.evaluate(() => window.trammel.app.frame());
  await page.waitForTimeout(1500);
  hold((await at([20, 20, 0])) === "track 0", "a track cannot be picked");
  hold((await at([-9.8, -1.8, 0.5])) === null, "scenery can be picked");
  hold((await at([4, -6, 1])) === "body 1", "a body cannot be picked");
  await page.evaluate(() => window.trammel.app.select({ kind: "track", name: "ring" }));
  await page.locator("#tab-Selection").click();
  const text = await page.locator("#panel-Selection").innerText();
  hold(text.includes("125.7 m, closed") && text.includes("20 m, to the left"), "a track's length or radius is wrong");
  hold((await page.locator("#panel-Selection .chart").count()) === 3, "a track has no curvature, gradient and cant");
  await shot(page, "looks-track");
}

/** What a button saves. */
async function saved(page, chart, button) {
  const [download] = await Promise.all([page.waitForEvent("download"), chart.locator("button", { hasText: button }).click()]);
  return readFileSync(await download.path());
}
async function charts(page) {
  await page.locator("#tab-Plots").click();
  await page.locator("#panel-Plots button", { hasText: "Solver" }).click();
  const chart = page.locator("#panel-Plots .chart").first();
  hold((await chart.locator("button", { hasText: "log" }).getAttribute("aria-pressed")) === "true", "residuals are not on a logarithmic axis");
  await chart.locator("button", { hasText: "log" }).click();
  hold((await chart.locator("button", { hasText: "log" }).getAttribute("aria-pressed")) === "false", "log cannot be switched off");
  await chart.locator("button", { hasText: "log" }).click();
  const csv = (await saved(page, chart, "CSV")).toString();
  hold(csv.startsWith("time [s],gap [m]\r\n0,") && csv.split("\r\n").length === 103, "the CSV is not that of the chart");
  const svg = (await saved(page, chart, "SVG")).toString();
  hold(svg.startsWith("<svg") && svg.includes("10⁻¹²"), "the SVG has no logarithmic axis");
  hold((await saved(page, chart, "PNG")).subarray(1, 4).toString() === "PNG", "the PNG is none");
  await page.locator("#panel-Plots select").selectOption("wheel.s");
  await page.evaluate(() => window.trammel.app.plots.add([window.trammel.app.run.find("car.position.x")]));
  await page.locator("#panel-Plots select").selectOption("another");
  await page.locator('#panel-Plots input[aria-label="Channel along x"]').fill("car.position.y");
  await page.evaluate(() => window.trammel.app.plots.add([window.trammel.app.run.find("car.position.x")]));
  const xs = await page.evaluate(() => window.trammel.app.plots.charts.figures.map((f) => f.x.name));
  hold(xs.slice(-2).join() === "wheel.s,car.position.y", `plots are over ${xs}`);
  await shot(page, "looks-plots");
  await page.locator("#tab-Verify").click();
  const found = await page.locator("#panel-Verify").innerText();
  hold(found.includes("disagrees") && found.includes("one way is off") && found.includes("order 2.01"), "the verdict is not shown");
  await shot(page, "looks-verify");
}
async function ribbons(page) {
  await page.locator("#tab-View").click();
  await page.locator("#look-by").fill("wheel.reaction.fy");
  await page.locator("#look-by").press("Enter");
  const got = await page.evaluate(() => ({ n: window.trammel.app.picture.trails.group.children.length, legend: document.querySelector(".legend").innerText }));
  hold(got.n === 3 && got.legend.includes("wheel.reaction.fy"), `ways are not coloured by a channel: ${JSON.stringify(got)}`);
  await page.locator("#look-by").fill("nosuch");
  await page.locator("#look-by").press("Enter");
  hold((await page.locator("#look-by").getAttribute("aria-invalid")) === "true", "an unknown channel is not refused");
  await shot(page, "looks-ribbons");
}
async function many(page) {
  const { pieces, dots } = await page.evaluate(() => window.trammel.app.picture.drawn);
  hold(pieces + dots === 10000, `${pieces} pieces and ${dots} dots of 10000 bodies`);
  await page.locator("#tab-Selection").click();
  const list = page.locator("#panel-Selection .virtual");
  hold((await list.locator(".virtual-row").count()) < 40, "a long list is all in the page");
  await list.focus();
  await list.press("End");
  const last = await page.evaluate(() => window.trammel.app.selection.all.length);
  hold((await list.locator('[aria-selected="true"]').getAttribute("aria-posinset")) === String(last), "End does not go to the end of the list");
  await page.locator('#panel-Selection input[type="search"]').fill("m99_99");
  await list.locator(".virtual-row").first().click();
  hold((await page.evaluate(() => window.trammel.app.selected?.name)) === "m99_99", "the last body cannot be selected in the list");
  await shot(page, "net");
}

const page = await open("looks", looks());
await rests(page);
await seen(page);
await shot(page, "looks");
await picks(page);
await charts(page);
await ribbons(page);
await page.close();
const large = await open("net", net(100));
await large.waitForTimeout(500);
await many(large);
await browser.close();
for (const text of new Set(faults)) console.log(`fault: ${text}`);
process.exit(faults.length > 0 ? 1 : 0);
