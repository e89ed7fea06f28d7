// Figures of the page, printed and not judged: a busy machine makes them larger. Time to the first paint and from Run to
// the result of bank.c, frames while 10,000 steps are scrolled, size of a report. Usage: bars.mjs SENNIT EXAMPLES WORK
import { spawnSync } from "node:child_process";
import assert from "node:assert/strict";
import { copyFileSync, statSync, writeFileSync } from "node:fs";
import { examples, launch, openPage, sennit, serve, work } from "./visit.mjs";

copyFileSync(`${examples}/bank.c`, `${work}/bank.c`);
writeFileSync(`${work}/steps.c`, `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *f(void *p) { for (int i = 0; i < 2500; i++) { atomic_fetch_add(&x, 1); atomic_load(&x); } return p; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, f, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 0);
}
`);
writeFileSync(`${work}/many.c`, `#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *f(void *p) { for (int i = 0; i < 3; i++) atomic_store(&x, atomic_load(&x) + 1); return p; }
int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, f, 0);
    pthread_create(&c, 0, f, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
}
`);

// What became of each frame between two moments of a trace: whole, in part (the main thread was late), dropped; and
// whether it was the compositor that scrolled, without the main thread, and had everything drawn already.
async function framesOf(session, act) {
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  const ended = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["cc", "benchmark", "devtools.timeline.frame"] } });
  await act();
  await session.send("Tracing.end");
  await ended;
  const states = {};
  for (const event of events) {
    const frame = event.name === "PipelineReporter" && (event.args?.frame_reporter ?? event.args?.chrome_frame_reporter);
    if (!frame) continue;
    const words = [frame.state, frame.state === "STATE_DROPPED" && frame.affects_smoothness && "visible", frame.scroll_state,
      (frame.has_missing_content || frame.checkerboarded_needs_record) && "BLANK"].filter(Boolean).join(" ");
    states[words] = (states[words] ?? 0) + 1;
  }
  return states;
}

const browser = await launch();
let { server, url } = await serve();
try {
  const paints = [];
  const results = [];
  for (let i = 0; i < 5; i++) {
    const { page } = await openPage(browser);
    await page.goto(url);
    await page.waitForSelector(".run:not([disabled])");
    paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
    results.push(await page.evaluate(() => new Promise((resolve) => {
      const begin = performance.now();
      new MutationObserver((_, observer) => {
        if (!document.querySelector(".verdict.bug")) return;
        observer.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - begin));
      }).observe(document.body, { childList: true, subtree: true });
      document.querySelector(".run").click();
    })));
    await page.close();
  }
  const list = (times) => times.map((t) => Math.round(t)).join(", ");
  console.log(`first paint: ${list(paints)} ms (bar: below 1000)`);
  console.log(`from Run to the result of bank.c: ${list(results)} ms (bar: below 1000)`);
  server.kill("SIGINT");

  assert.equal(spawnSync(sennit, ["test", "steps.c", "-q", "--max-execs=1"], { cwd: work }).status, 1);
  ({ server, url } = await serve("sennit-last"));
  const { page } = await openPage(browser);
  await page.goto(url);
  await page.waitForSelector(".step");
  const rows = await page.evaluate(() => Math.round(document.querySelector(".lane-area").clientHeight / 26));
  await page.locator(".lane-rows").press("Home");
  const box = await page.locator(".lane-rows").boundingBox();
  const session = await page.context().newCDPSession(page);
  const frames = await framesOf(session, () => session.send("Input.synthesizeScrollGesture", {
    x: box.x + box.width / 2, y: box.y + box.height / 2, yDistance: -26 * 1500, speed: 6000, gestureSourceType: "mouse", preventFling: true }));
  const count = (state) => Object.entries(frames).reduce((sum, [words, n]) => sum + (state.test(words) ? n : 0), 0);
  console.log(`scrolling 1,500 of ${rows} steps in 6.5 s: ${count(/DROPPED.*visible/)} of ${count(/PRESENTED|DROPPED/)} frames dropped, ${count(/BLANK/)} with a blank part (bar: 0)`);
  console.log(`  ${JSON.stringify(frames)}`);
  assert.ok(rows >= 10000, `${rows} steps`);
  assert.deepEqual(Object.keys(frames).filter((words) => /MAIN_THREAD/.test(words)), []);
  assert.ok(Object.keys(frames).some((words) => /COMPOSITOR_THREAD/.test(words)));
  const drawn = await page.locator(".step").count();
  assert.ok(drawn < 200, `${drawn} steps are drawn`);

  spawnSync(sennit, ["test", "many.c", "-q", "--max-execs=1000", "--keep-executions=1000", "--html=report.html"], { cwd: work });
  const size = statSync(`${work}/report.html`).size;
  console.log(`report of 1,000 executions: ${(size / 1e6).toFixed(2)} MB (bar: below 5)`);
  assert.ok(size < 5e6);
} finally {
  await browser.close();
  server.kill("SIGINT");
}
