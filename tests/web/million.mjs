// A run of a million executions on the page: its verdict, the tree of those that were kept, one of them.
// Usage: million.mjs SENNIT EXAMPLES WORK
import { spawnSync } from "node:child_process";
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { launch, openPage, sennit, serve, work } from "./visit.mjs";

writeFileSync(`${work}/long.c`, `#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *f(void *p) { for (int i = 0; i < 9; i++) atomic_store(&x, atomic_load(&x) + 1); return p; }
int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, f, 0);
    pthread_create(&c, 0, f, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
`);
const words = ["test", "long.c", "-q", "--max-execs=1M", "--keep-executions=500", "--coverage=off", "--sample-after=none"];
assert.equal(spawnSync(sennit, words, { cwd: work }).status, 3);
const browser = await launch();
const { server, url } = await serve("sennit-last");
try {
  const { page, errors } = await openPage(browser);
  await page.goto(url);
  await page.waitForSelector(".verdict.open");
  assert.match(await page.textContent(".verdict .figures"), /^1,000,000 executions, 0 redundant; up to 60 steps/);
  await page.waitForSelector(".step >> text=load x");
  await page.click(".views >> text=tree");
  await page.waitForSelector(".tree .bar >> text=500 executions");
  await page.fill("[aria-label='levels unfolded']", "12");
  await page.locator(".tree-end button").last().click();
  await page.waitForSelector(".pane .outcome.good");
  assert.equal(await page.locator(".resume").count(), 1);
  assert.deepEqual(errors, []);
  console.log("ok");
} finally {
  await browser.close();
  server.kill("SIGINT");
}
