// Runs of every kind, opened on the page: inputs, weak memory, lock orders, actors, a cluster, a model with time; one that
// another process runs, one that was killed. Usage: kinds.mjs SENNIT EXAMPLES WORK
import { spawn, spawnSync } from "node:child_process";
import assert from "node:assert/strict";
import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { examples, launch, openPage, sennit, serve, work } from "./visit.mjs";

const include = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <sennit/sennit.h>\n";
writeFileSync(`${work}/branches.c`, include + `int main(void)
{
    int x = sennit_int("x");
    if (x > 10)
        assert(x < 20);
    return 0;
}
`);
writeFileSync(`${work}/weak.c`, include + `atomic_int x, y;
static int a, b;
static void *first(void *p)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    a = atomic_load_explicit(&y, memory_order_relaxed);
    return p;
}
static void *second(void *p)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    b = atomic_load_explicit(&x, memory_order_relaxed);
    return p;
}
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, first, 0);
    pthread_create(&t, 0, second, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(a || b);
}
`);
writeFileSync(`${work}/two.c`, include + `static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static void take(pthread_mutex_t *outer, pthread_mutex_t *inner)
{
    x++;
    pthread_mutex_lock(outer);
    pthread_mutex_lock(inner);
    pthread_mutex_unlock(inner);
    pthread_mutex_unlock(outer);
}
static void *worker(void *p) { take(&m, &n); return p; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    take(&n, &m);
    pthread_join(t, 0);
}
`);
writeFileSync(`${work}/aside.c`, include + `static atomic_int alone, x;
static void *other(void *p) { alone++; return p; }
static void *worker(void *p) { x = 1; return p; }
int main(void)
{
    pthread_t t, u;
    pthread_create(&u, 0, other, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(x == 0);
    pthread_join(u, 0);
}
`);
writeFileSync(`${work}/orders.c`, include + `static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
static void take(pthread_mutex_t *outer, pthread_mutex_t *inner)
{
    pthread_mutex_lock(outer);
    pthread_mutex_lock(inner);
    pthread_mutex_unlock(inner);
    pthread_mutex_unlock(outer);
}
static void *worker(void *p) { take(&b, &c); return p; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    take(&a, &b);
    pthread_join(t, 0);
}
`);
writeFileSync(`${work}/timed.abs`, `module Timed;
interface Clock { Unit tick(Int steps); }
class Clock implements Clock {
  Int ticks = 0;
  Unit tick(Int steps) { while (ticks < steps) { await duration(2, 2); ticks = ticks + 1; } }
}
{
  Clock clock = new Clock();
  Fut<Unit> done = clock!tick(2);
  await done?;
  assert timeDifference(now(), Time(0)) < 4;
}
`);
writeFileSync(`${work}/shuffle.abs`, `module Shuffle;
interface Log { Unit add(Int n); }
class Log implements Log {
  List<Int> all = Nil;
  Int size = 0;
  Unit add(Int n) { all = Cons(n, all); size = size + 1; }
}
{
  Log log = new Log();
  log!add(1);
  log!add(2);
  log!add(3);
  log!add(4);
  log!add(5);
}
`);
writeFileSync(`${work}/long.c`, include + `static atomic_int x;
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

const browser = await launch();
const { page, errors } = await openPage(browser);
let served;
const visit = async (...words) => {
  served?.server.kill("SIGINT");
  served = await serve(...words);
  await page.goto(served.url);
};
const text = (selector) => page.textContent(selector);
const lanes = () => page.locator(".lanes-head span").allInnerTexts();
const outcome = (pane, words) => page.waitForSelector(`.panes .pane:nth-child(${pane}) .outcome >> text=${words}`);
const run = (exitCode, ...words) => assert.equal(spawnSync(sennit, words, { cwd: work }).status, exitCode, words.join(" "));

async function whatIf(step, words) {
  await page.locator(".step", { hasText: step }).first().click();
  await page.locator(".what-if button", { hasText: words }).click();
  await page.waitForSelector(".panes.n2");
}

try {
  // Inputs: the other outcome of a branch, with the inputs that take it.
  run(1, "test", "branches.c", "-q");
  await visit("sennit-last");
  await page.waitForSelector(".verdict.bug");
  await page.waitForSelector(".condition >> text=(x <s 20)");
  await page.locator(".step").nth(1).click();
  await page.locator(".what-if button", { hasText: /^\(x <s 20\)\?$/ }).click();
  await page.waitForSelector(".panes.n2");
  await outcome(2, "✓ no bug");
  const inputs = await page.locator(".inputs").allInnerTexts();
  const value = (words) => Number(words.replace("inputs: x = ", ""));
  assert.ok(value(inputs[0]) >= 20 && value(inputs[1]) > 10 && value(inputs[1]) < 20, inputs.join("; "));
  await page.locator(".pane").nth(1).locator("[aria-label=close]").click();
  await page.waitForSelector(".panes.n1");

  // Weak memory: the write that a load could have read instead.
  run(1, "test", "weak.c", "-q");
  await visit("sennit-last");
  await page.waitForSelector(".verdict.bug >> text=rc11");
  await page.waitForSelector(".tabs [aria-selected=true] >> text=weak.c");
  await page.waitForSelector(".step.fails >> text=fails the assertion");
  await page.check(".executions .bar label >> text=reads-from");
  await page.waitForSelector(".executions .bar label >> text=reads-from");
  await whatIf("stale", "it read 1, written in step");
  await outcome(2, "✓ no bug");
  await page.waitForSelector(".pane:nth-child(2) .arrow.order", { state: "attached" });
  await page.locator(".pane").nth(1).locator("[aria-label=close]").click();
  await page.click(".find-critical");
  await page.waitForSelector(".step.critical >> text=stale");

  // Lock orders that are on no cycle.
  run(0, "deadlock", "orders.c", "-q");
  await visit("sennit-last");
  await page.waitForSelector(".lock-orders >> text=2 orders, none of them on a cycle");
  await page.waitForFunction(() => document.querySelectorAll(".lock-orders .node").length === 3);

  // A deadlock whose execution showed a race before: the race is first, the deadlock under it.
  run(1, "test", "two.c", "-q", "-k");
  await visit("sennit-last");
  await page.waitForSelector(".results > .bug h3 >> text=data-race");
  await page.waitForSelector(".effects .bug h3 >> text=deadlock");
  await page.waitForFunction(() => [...document.querySelectorAll(".step.fails")].map((step) => step.innerText).join() === "✗reads x,✗writes x");
  await page.click(".effects .bug h3 button");
  await outcome(1, "✗ deadlock");
  await page.waitForFunction(() => document.querySelectorAll(".step.waits").length === 2);
  assert.equal(await page.locator(".results > article.bug").count(), 1);

  // Steps that a bug does not depend on.
  run(1, "test", "aside.c", "-q");
  await visit("sennit-last");
  await page.waitForFunction(() => [...document.querySelectorAll(".step.dimmed")].map((step) => step.innerText).join() === "rmw alone: 0 -> 1,exit");
  assert.ok(await page.locator(".step:not(.dimmed)").count() >= 3);

  // Cycles of a model: necessary conditions and initial tasks beside the graph; confirmed, with an execution.
  run(1, "deadlock", `${examples}/abs/database.abs`, "-q", "--search=per-cycle");
  await visit("sennit-last");
  await page.waitForSelector(".cycle.bug >> text=confirmed");
  await page.waitForFunction(() => document.querySelectorAll(".cycle .graph .node").length === 4);
  await page.waitForSelector(".details >> text=relevant initial tasks: DB.register, Worker.work");
  await page.click(".constraints summary");
  await page.waitForSelector(".constraints li >> text=exists fut(F1, L2, T2, 49, unresolved)");
  await page.click(".cycle >> text=show its execution");
  await page.waitForSelector(".lanes-head .deadlocked >> text=DB_1");

  // Cycles that no schedule leads to, and those that were not checked.
  run(1, "deadlock", `${examples}/deadlock/table/hb.abs`, "-q", "--search=per-cycle");
  await visit("sennit-last");
  await page.waitForFunction(() => document.querySelectorAll(".cycle.good").length === 3 && document.querySelectorAll(".cycle.bug").length === 2);
  await page.waitForSelector(".cycle.good >> text=discarded: no schedule leads to it");
  run(3, "deadlock", `${examples}/deadlock/workers.abs`, "-q");
  await visit("sennit-last");
  await page.waitForSelector(".cycle.open >> text=open: not checked");

  // Many final states: in pages, and as ends of the tree.
  run(0, "explore", "shuffle.abs", "-q", "--keep-executions=500");
  await visit("sennit-last");
  await page.waitForFunction(() => [...document.querySelectorAll(".state tr")].map((row) => row.innerText).join().match(/^▸ Log_1.all\tlist\[[1-5](, [1-5]){4}\],▸ Log_1.size\t5$/));
  await page.click(".views >> text=states");
  await page.waitForSelector(".states .bar >> text=120 final states");
  await page.waitForSelector(".states .bar >> text=1 of 3");
  const first = await text(".states tbody tr:first-child");
  await page.click(".states .bar >> text=▸");
  await page.waitForSelector(".states .bar >> text=2 of 3");
  assert.notEqual(await text(".states tbody tr:first-child"), first);
  await page.click(".views >> text=tree");
  await page.waitForSelector(".tree .bar >> text=120 executions");
  await page.fill("[aria-label='levels unfolded']", "12");
  await page.waitForFunction(() => document.querySelectorAll(".tree-end").length === 120);
  await page.selectOption("[aria-label='filter by end']", { index: 3 });
  await page.waitForFunction(() => document.querySelectorAll(".tree-end").length === 1);

  // Many lanes: scrolled sideways with their heads, to the lane of the selected step; the numbers stay.
  run(1, "explore", `${examples}/abs/paxos.abs`, "-q");
  await visit("sennit-last");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.waitForSelector(".tabs [aria-selected=true] >> text=paxos.abs");
  await page.waitForSelector(".lanes-head >> text=Learner_1");
  await page.locator(".lane-rows").press("End");
  await page.waitForFunction(() => {
    const left = (element) => Math.round(element.getBoundingClientRect().left);
    const rows = document.querySelector(".lane-rows");
    const selected = document.querySelector(".step.selected");
    return rows.scrollLeft > 0 && left(document.querySelector(".number")) === left(rows) && selected && left(selected) === left([...document.querySelectorAll(".lanes-head span")].at(-1));
  });
  await page.locator(".lane-rows").press("Home");
  await page.waitForFunction(() => document.querySelector(".lane-rows").scrollLeft === 0);
  await page.setViewportSize({ width: 1600, height: 950 });

  // Actors: a lane for each, and arrows for messages.
  run(1, "test", `${examples}/actors/leader.c`, "-q");
  await visit("sennit-last");
  await page.waitForSelector(".verdict.bug");
  await page.waitForSelector(".arrow.message", { state: "attached" });
  assert.ok((await lanes()).length > 3);
  await page.locator(".step", { hasText: "starts" }).last().click();
  await page.waitForSelector(".queues >> text=mail: Note");

  // A cluster: lanes under their nodes, and arrows for what goes through the network.
  for (const name of ["store", "check"]) {
    run(0, "cc", "-pthread", `${examples}/cluster/${name}.c`, "-o", name);
  }
  copyFileSync(`${examples}/cluster/store.conf`, `${work}/store.conf`);
  run(0, "explore", "--cluster", "store.conf", "-q", "--keep-executions=1");
  await visit("sennit-last");
  await page.waitForSelector(".lanes-head .node >> text=primary");
  assert.deepEqual(await page.locator(".lanes-head .node").allInnerTexts(), ["primary", "backup", "check"]);
  assert.deepEqual(await lanes(), ["step", "cluster", "network", "main", "main", "main"]);
  await page.locator(".lane-rows").press("Home");
  await page.waitForSelector(".arrow.message", { state: "attached" });
  await page.waitForSelector(".step.waits.calm"); // servers may wait for ever
  await page.locator(".step >> text=/^accept socket 3$/").first().waitFor();

  // The same from its description, which is a program of the page.
  await page.waitForSelector(".tabs [aria-selected=true] >> text=store.conf");
  await page.waitForFunction(() => document.querySelector(".command").textContent === "sennit explore --cluster store.conf --keep-executions=500");
  await page.click(".run");
  await page.click(".tabs >> text=runs");
  const own = page.locator(".runs tr.current", { hasText: "sennit explore --cluster store.conf --keep-executions=500" });
  await own.locator("text=every schedule covered by 1 execution").waitFor();
  await page.waitForSelector(".lanes-head .node >> text=backup");

  // A model with time.
  run(1, "explore", "timed.abs", "-q");
  await visit("sennit-last");
  await page.waitForSelector(".verdict.bug");
  await page.waitForSelector(".lanes-head >> text=Clock_1");

  // A run that another process runs: figures arrive, then the result.
  const search = spawn(sennit, ["test", "long.c", "-q", "-o", "going"], { cwd: work, stdio: "ignore" });
  const ended = new Promise((resolve) => search.once("exit", resolve));
  while (!existsSync(`${work}/going/stats.jsonl`)) await new Promise((resolve) => setTimeout(resolve, 50));
  await visit("going");
  await page.waitForSelector(".progress >> text=in another process");
  await page.waitForSelector(".progress >> text=executions");
  assert.ok(await page.isDisabled(".stop"));
  search.kill("SIGINT");
  await page.waitForSelector(".verdict.open >> text=interrupted");
  await ended;
  await page.waitForSelector(".resume");

  // One that was killed.
  const killed = spawn(sennit, ["test", "long.c", "-q", "-o", "killed", "--keep-executions=3"], { cwd: work, stdio: "ignore" });
  while (!existsSync(`${work}/killed/stats.jsonl`)) await new Promise((resolve) => setTimeout(resolve, 50));
  killed.kill("SIGKILL");
  await visit("killed");
  await page.waitForSelector(".verdict.open >> text=no result");
  assert.match(await text(".verdict .figures"), /executions in/);
  await page.locator(".step", { hasText: "store x" }).first().click();
  await page.waitForSelector(".state tr.changed >> text=x");
  assert.deepEqual(errors, []);
  console.log("ok");
} finally {
  await browser.close();
  served?.server.kill("SIGINT");
}
