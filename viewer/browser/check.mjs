// Opens reports from disk in Chromium and holds what is drawn against the results.
//   node browser/check.mjs REPORT.html POSITIONS.json [PICTURES_DIR]
// POSITIONS.json: what 'trammel export DIR --json' gives. Exits with 1 where something is wrong.
import { readFileSync, mkdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { comparePositions, Faults, launch, openAt } from "./page.mjs";

const [report, exported, pictures] = process.argv.slice(2);
const faults = new Faults();
const fault = (text) => faults.add(text);
const browser = await launch();

async function open(size, scheme) {
  const begun = Date.now();
  const page = await openAt(browser, pathToFileURL(resolve(report)).href, faults, size, scheme);
  console.log(`${basename(report)} at ${size.width} x ${size.height}: open after ${Date.now() - begun} ms`);
  return page;
}

const shot = async (page, name) => {
  await page.waitForTimeout(1200);
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), timeout: 60000 });
};

async function use(page) {
  const state = () => page.evaluate(() => {
    const { app } = window.trammel;
    return { t: app.clock.t, playing: app.clock.playing, mode: app.picture.camera.mode, selected: app.selected };
  });
  await page.locator(".picture canvas").focus();
  await page.keyboard.press("End");
  const end = await state();
  if (end.t !== (await page.evaluate(() => window.trammel.app.clock.end))) fault("End does not go to the end");
  await page.keyboard.press("ArrowLeft");
  if (!((await state()).t < end.t)) fault("the left arrow does not go back");
  await page.keyboard.press("Home");
  await page.keyboard.press(" ");
  await page.waitForTimeout(700);
  const played = await state();
  if (!(played.playing && played.t > 0)) fault(`space does not play: ${JSON.stringify(played)}`);
  await page.keyboard.press(" ");
  if ((await state()).playing) fault("space does not pause");
  for (const [key, mode] of [["2", "follow"], ["3", "rider"], ["4", "trackside"], ["5", "free"], ["1", "orbit"]]) {
    await page.keyboard.press(key);
    if ((await state()).mode !== mode) fault(`key ${key} does not give the camera ${mode}`);
  }
  await page.keyboard.press("f");
  await page.waitForTimeout(900);
  const hit = await page.evaluate(() => {
    const { app } = window.trammel;
    const canvas = document.querySelector("canvas").getBoundingClientRect();
    for (let i = 0; i < app.picture.poses.names.length; i++) {
      const [x, y] = app.picture.onCanvas(i);
      if (app.picture.pick(x, y)) return [x + canvas.left, y + canvas.top];
    }
    return null;
  });
  if (!hit) return fault("no body can be picked where its middle is");
  await page.mouse.click(...hit);
  const { selected } = await state();
  if (!selected) return fault("a click on a body selects nothing");
  const rows = await page.locator("#panel-Selection table.values td").count();
  if (rows === 0) fault(`${selected.name} shows no values`);
  await page.locator("#panel-Selection button", { hasText: "plot" }).first().click();
  if ((await page.locator("#panel-Plots .chart canvas").count()) === 0) fault("no plot is drawn");
}

const name = basename(report, ".html") === "report" ? basename(resolve(report, "..")) : basename(report, ".html");
if (pictures) mkdirSync(pictures, { recursive: true });
const page = await open({ width: 1280, height: 720 }, "light");
const compared = await comparePositions(page, JSON.parse(readFileSync(exported, "utf8")), faults);
console.log(`${compared} numbers as in the results`);
await page.evaluate(() => {
  const { app } = window.trammel;
  app.clock.set(app.clock.start + 0.4 * (app.clock.end - app.clock.start));
});
await shot(page, `${name}-light`);
await use(page);
await shot(page, `${name}-plots`);
await page.locator("#tab-Energy").click();
await page.locator(".picture canvas").focus();
await page.keyboard.press("r");
await page.keyboard.press("p");
await page.evaluate(() => {
  const { app } = window.trammel;
  app.clock.set(app.clock.start + 0.6 * (app.clock.end - app.clock.start));
});
await shot(page, `${name}-energy`);
await page.close();
const phone = await open({ width: 390, height: 844 }, "dark");
if (await phone.evaluate(() => document.documentElement.scrollWidth > innerWidth)) fault("wider than a phone");
await shot(phone, `${name}-phone`);
await browser.close();
process.exit(faults.list.length > 0 ? 1 : 0);
