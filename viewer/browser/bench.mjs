// How quickly reports open and play: node browser/bench.mjs REPORT.html...
import { resolve, basename } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const SECONDS = 5;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox", "--enable-precise-memory-info"],
});
for (const report of process.argv.slice(2)) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  page.on("pageerror", (e) => console.log(`error: ${e.message}`));
  const begun = Date.now();
  await page.goto(pathToFileURL(resolve(report)).href);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes", null, { timeout: 120000 });
  const open = Date.now() - begun;
  await page.waitForTimeout(2000);
  const got = await page.evaluate(async (seconds) => {
    const { app } = window.trammel;
    const { picture, clock } = app;
    let [moving, drawing] = [0, 0];
    const timed = (object, name, add) => {
      const plain = object[name].bind(object);
      object[name] = (...a) => {
        const t = performance.now();
        const out = plain(...a);
        add(performance.now() - t);
        return out;
      };
    };
    timed(picture, "setTime", (ms) => (moving += ms));
    timed(picture, "draw", (ms) => (drawing += ms));
    clock.play(true);
    const count = async () => {
      let n = 0;
      const from = performance.now();
      while (performance.now() - from < 1000 * seconds) {
        await new Promise(requestAnimationFrame);
        n++;
      }
      return n;
    };
    [moving, drawing] = [0, 0];
    const n = await count();
    const { calls, triangles } = picture.stage.renderer.info.render;
    return { fps: n / seconds, moving: moving / n, drawing: drawing / n, calls, triangles, heap: performance.memory?.usedJSHeapSize / 1e6 };
  }, SECONDS);
  const f = (x, d = 1) => x.toFixed(d);
  console.log(
    `${basename(report)}: open ${open} ms, ${f(got.fps)} fps, moving ${f(got.moving)} ms, drawing ${f(got.drawing)} ms a frame, ` +
      `${got.calls} calls, ${got.triangles} triangles, heap ${f(got.heap, 0)} MB`,
  );
  await page.close();
}
await browser.close();
