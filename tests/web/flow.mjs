// What a person does on the page, in a real browser: first visit to first deadlock, stepping, what if, editing, a program
// that does not compile, stopping a search, a report. Usage: flow.mjs SENNIT EXAMPLES WORK
import { spawnSync } from "node:child_process";
import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { examples, launch, openPage, sennit, serve, work } from "./visit.mjs";

const browser = await launch();
copyFileSync(`${examples}/bank.c`, `${work}/bank.c`);
const { server, url } = await serve();
const { page, errors } = await openPage(browser);

// What is asked may come a moment after what was waited for before: each of these waits until it holds.
const says = (selector, wanted) => page.waitForFunction(([s, source, flags]) =>
  new RegExp(source, flags).test(document.querySelector(s)?.textContent ?? ""), [selector, wanted.source, wanted.flags]);
const begins = (pane, wanted) => page.waitForFunction(([n, first]) => {
  const shown = [...(document.querySelectorAll(".pane")[n]?.querySelectorAll(".step") ?? [])].map((step) => step.innerText);
  return first.every((text, i) => shown[i] === text);
}, [pane, wanted]);
const shows = (selector, wanted) => page.waitForFunction(([s, texts]) => {
  const shown = [...document.querySelectorAll(s)].map((element) => element.innerText);
  return shown.length === texts.length && texts.every((text, i) => shown[i] === text);
}, [selector, wanted]);
const visible = (selector) => page.locator(selector).first().waitFor();

const command = (wanted) => page.waitForFunction((w) => document.querySelector(".command")?.textContent === w, wanted);

const waitForCount = (selector, count) => page.waitForFunction(([s, n]) => document.querySelectorAll(s).length === n, [selector, count]);

const TIMES = ["seconds", "cpu_seconds", "peak_kb", "rate", "first_bug_seconds"];
const resultOf = (id) => JSON.parse(readFileSync(`${work}/sennit-out/${id}/run.json`, "utf8").replaceAll(`${work}/`, "").replaceAll(`sennit-out/${id}`, ""), (key, value) =>
  (TIMES.includes(key) || key === "command" ? undefined : value));

// The command line that is shown gives the same run.json as the run, but for times and the name of its directory.
async function sameInShell(exitCode, id) {
  const [shell, ...words] = (await page.textContent(".command")).split(" ");
  assert.equal(shell, "sennit");
  assert.equal(spawnSync(sennit, [...words, "-o", `${work}/sennit-out/shell-${id}`], { cwd: work }).status, exitCode);
  assert.deepEqual(resultOf(`shell-${id}`), resultOf(id));
}

// Examples are in folders, which are folded at first.
async function openExample(path) {
  const button = page.locator(`.files [title="${path}"]`);
  if (!(await button.isVisible())) await page.click(`.files summary >> text=/^${path.split("/")[0]}$/`);
  await button.click();
}

async function run() {
  await page.click(".run");
  await page.waitForSelector(".stop:disabled");
}

try {
  // First visit to first deadlock.
  await page.goto(url);
  await page.waitForSelector(".run:not([disabled])");
  await command("sennit test bank.c --keep-executions=500");
  await run();
  await page.waitForSelector(".verdict.bug");
  await says(".bug h3", /deadlock-45e2.*waits for alice\.lock/);
  await begins(0, ["lock alice.lock", "lock bob.lock"]);
  await waitForCount(".step.waits", 2);

  await sameInShell(1, "001");

  // The outline has functions, and those that threads begin with.
  await shows(".outline li button", ["lock_both", "transfer", "thread first_teller", "thread second_teller", "main"]);

  // Coverage of this text is in the margin; tabs can be closed.
  await page.waitForSelector(".cm-coverage .covered");
  await page.click(".files [title='counter.c']");
  await shows(".left [role=tablist]:first-child [role=tab]", ["bank.c", "counter.c"]);
  await page.click("[aria-label='close examples:counter.c']");
  await shows(".left [role=tablist]:first-child [role=tab]", ["bank.c"]);
  await page.waitForSelector(".tabs [aria-selected=true] >> text=bank.c");

  // A click on a step lights its line; stepping with the keyboard; what is held.
  await page.locator(".step").first().click();
  await says(".line.here", /pthread_mutex_lock\(&from->lock\)/);
  await says(".state", /alice\.lock.*held by first_teller/);
  await page.locator(".lane-rows").press("ArrowDown");
  await says(".state", /bob\.lock.*held by second_teller/);
  await page.locator(".line.used").first().click();

  // What if the first teller had gone on? Both executions side by side.
  await page.locator(".step").nth(1).click();
  await page.click(".what-if button");
  await page.waitForSelector(".panes.n2");
  await says(".panes .pane:nth-child(2) .outcome", /no bug/);
  await begins(1, ["lock alice.lock", "lock bob.lock", "unlock bob.lock"]);
  await says(".executions .bar", /part at step 2/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(".pane >> text=SVG")]);
  assert.match(readFileSync(await download.path(), "utf8"), /^<svg .*lock alice\.lock/s);
  const [picture] = await Promise.all([page.waitForEvent("download"), page.locator(".pane").first().locator("text=PNG").click()]);
  assert.equal(readFileSync(await picture.path()).subarray(1, 4).toString(), "PNG");
  await page.waitForSelector(".arrow.lock", { state: "attached" });
  await page.waitForSelector(".arrow.join", { state: "attached" });

  // The critical step, and the nearest execution that passes beside it.
  await page.locator(".pane").nth(1).locator("[aria-label=close]").click();
  await page.waitForSelector(".panes.n1");
  await page.click(".find-critical");
  await page.waitForSelector(".critical-says >> text=step 2, second_teller (0.2): lock bob.lock");
  await page.waitForSelector(".step.critical >> text=lock bob.lock");
  await page.click(".compare");
  await page.waitForSelector(".panes.n2 .pane:nth-child(2) .outcome >> text=no bug");
  await page.waitForSelector(".executions .bar >> text=part at step 2");

  // The tree of executions: unfolded, filtered; a leaf opens its execution. Coverage is in the margin.
  await page.click(".views >> text=tree");
  await waitForCount(".tree-end", 2);
  await page.selectOption("[aria-label='filter by end']", "bug");
  await waitForCount(".tree-end", 1);
  await page.click(".tree-end button");
  await page.waitForSelector(".pane .outcome.bug >> text=deadlock");
  await page.click(".outline >> text=main");
  await page.waitForSelector(".cm-coverage .covered");

  // A link sets up the same run; settings can be kept under a name.
  await page.click(".tabs >> text=settings");
  await page.fill("#option-max-execs", "7");
  await page.fill("[aria-label='name of the profile']", "short");
  await page.click(".profiles >> text=Save");
  await page.click(".settings .bar >> text=Reset");
  await command("sennit test bank.c --keep-executions=500");
  await page.selectOption("[aria-label=profile]", "short");
  await command("sennit test bank.c --max-execs=7 --keep-executions=500");
  await page.fill("#more-words", "-DN=2 '-DS=a b'");
  await command("sennit test bank.c --max-execs=7 --keep-executions=500 -DN=2 '-DS=a b'");
  await page.click(".link");
  await page.waitForFunction(() => location.hash.includes("--max-execs=7"));
  await page.reload();
  await command("sennit test bank.c --max-execs=7 --keep-executions=500 -DN=2 '-DS=a b'");
  await page.fill("#more-words", "");
  await page.click(".tabs >> text=settings");
  await page.click(".settings .bar >> text=Reset");

  // Lock orders: a cycle as a graph, its result, its own execution.
  await page.selectOption("[aria-label=verb]", "deadlock");
  await run();
  await page.waitForSelector(".cycle.bug >> text=confirmed");
  await waitForCount(".cycle.bug .graph .node", 2);
  await page.waitForSelector(".lock-orders >> text=2 orders, 2 on cycles");
  await waitForCount(".lock-orders .edge.circular", 2);
  const graph = page.locator(".lock-orders .saved");
  const [saved] = await Promise.all([page.waitForEvent("download"), graph.locator("text=SVG").click()]);
  assert.match(readFileSync(await saved.path(), "utf8"), /^<svg .*stroke="rgb.*alice\.lock/s);
  await page.click(".cycle >> text=show its execution");
  await page.waitForSelector(".pane .outcome.bug >> text=deadlock");
  await page.selectOption("[aria-label=verb]", "test");

  // Settings become words of the command: the repaired program is explored completely.
  await page.click(".tabs >> text=settings");
  await page.fill("#option-max-execs", "500");
  await command("sennit test bank.c --max-execs=500 --keep-executions=500");
  await page.click(".settings >> text=Reset");
  const fixed = readFileSync(`${work}/bank.c`, "utf8").replace("#ifdef FIXED", "#if 1");
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(fixed);
  await run();
  await page.waitForSelector(".verdict.good");
  await says(".verdict .sentence", /exhaustive: every schedule covered by 2 executions, no bug/);
  assert.equal(readFileSync(`${work}/bank.c`, "utf8"), fixed);

  // A program that does not compile: underlined, and the console says why.
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("int main(void) { return nothing; }\n");
  await page.waitForSelector(".cm-lintRange-error");
  await page.click(".run");
  await page.waitForSelector(".right .problem >> text=does not compile");
  await says(".console", /undeclared identifier/);

  // One that crashes: a bug like others. One that hangs in a step: Stop ends it.
  const replace = async (program) => {
    await page.click(".cm-content");
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(program);
  };
  await replace("int main(void) { int *volatile p = 0; return *p; }\n");
  await run();
  await page.waitForSelector(".verdict.bug");
  await says(".bug h3", /crash|null/i);
  await says(".step.fails", /✗crashes/);
  await says(".line.here", /return \*p/);
  await replace("int main(void) { for (volatile int i = 0;; i++) ; }\n");
  await page.click(".run");
  await page.waitForSelector(".stop:not([disabled])");
  await waitForCount(".cm-coverage .covered", 0); // it belonged to the program before
  await page.click(".stop");
  await page.waitForSelector(".stop:disabled");
  await page.waitForSelector(".verdict.open, .verdict.bug, .right .problem");

  // Compiler flags and other files are more words of the command line; what is missing is said.
  await replace("void other(void);\nint main(void) { other(); }\n");
  await page.click(".run");
  await page.waitForSelector(".right .problem >> text=Other source files");
  writeFileSync(`${work}/other.c`, "void other(void) {}\n");
  await page.fill("#more-words", "other.c");
  await run();
  await page.waitForSelector(".verdict.good");
  await replace(readFileSync(`${examples}/bank.c`, "utf8"));
  await page.fill("#more-words", "-DFIXED");
  await run();
  await page.waitForSelector(".verdict.good >> text=exhaustive");
  await page.fill("#more-words", "");

  // Tab indents in the editor; after Escape it leaves it. The steps are one stop, whatever their number.
  await page.click(".cm-content");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await page.waitForFunction(() => !document.activeElement.closest(".editor"));
  await page.waitForSelector(".step");
  assert.equal(await page.locator(".lane-rows [tabindex='0'], .lane-rows button:not([tabindex='-1'])").count(), 0);
  assert.equal(await page.locator(".source .line[tabindex='0']").count(), 1);

  // Without a mouse: tabs, Run, the source beside an execution.
  await replace(readFileSync(`${examples}/bank.c`, "utf8"));
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector(".verdict.bug >> text=stopped at the first bug");
  await page.locator(".tabs >> text=help").focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector(".help-text >> text=Ctrl+Enter");
  await page.locator(".line.used").first().focus();
  await page.keyboard.press("Enter");
  await visible(".step.lit >> nth=1");

  // A model from the examples; its objects are lanes.
  await openExample("abs/database.abs");
  await page.waitForSelector(".command >> text=explore");
  await run();
  await page.waitForSelector(".verdict.bug");
  await shows(".lanes-head span", ["step", "main", "DB_1", "Worker_1"]);
  assert.ok(existsSync(`${work}/database.abs`));
  await shows(".lanes-head .deadlocked", ["DB_1", "Worker_1"]);
  await waitForCount(".bug .graph .node", 4);
  assert.deepEqual(await page.locator(".bug .graph .edge text").allTextContents(), ["its result (line 27)", "Worker_1 (line 49)", "its result (line 46)", "DB_1 (line 36)"]);
  await says(".waits", /DB_1\.getData cannot begin, because DB_1 is blocked by DB_1\.register at database\.abs:36/);
  await says(".verdict details summary", /executed 19 of 20 lines, 4 of 6 outcomes of branches/);
  await waitForCount(".cm-coverage .uncovered", 1); // line 32
  await waitForCount(".cm-coverage .partial", 2); // lines 25 and 28
  await shows(".step", ["✓main returned", "■register blocked at line 27 for Worker_1.ping", "■work blocked at line 46 for DB_1.getData",
    "■register waits to continue after get", "■work waits to continue after get", "■ping waits to begin", "■getData waits to begin"]);
  await shows(".step.responsible", ["■register blocked at line 27 for Worker_1.ping", "■work blocked at line 46 for DB_1.getData"]);
  await says(".said", /^Worker_1 work blocked at line 46 for DB_1\.getData$/);
  await says(".queues", /DB_1tasks: register \(blocked\), getData \(not begun\)/);
  await page.click(".views >> text=states");
  await waitForCount(".states tbody tr", 3);
  await page.locator(".states tbody input").nth(0).check();
  await page.locator(".states tbody input").nth(1).check();
  await page.click("text=Compare two executions");
  await page.waitForSelector(".panes.n2");

  // Tests for a method that is checked in the outline; run again on the model with an error in it.
  await openExample("generate/account.abs");
  await page.check("[aria-label='generate tests for Account.withdraw']");
  await page.selectOption("[aria-label=verb]", "generate");
  await run();
  await waitForCount(".tests tbody tr", 3);
  await says(".tests tbody tr:nth-child(3)", /Account_1\.log = Cons\(10, Nil\)/);
  await page.click(".tabs >> text=runs");
  await says(".runs tr.current", /^(\d+)sennit generate account\.abs --method=Account\.withdraw --emit=abs3 tests from 1 initial context$/);
  await sameInShell(0, await page.textContent(".runs tr.current button"));
  await page.click(".tests tbody tr:nth-child(3) button");
  await page.waitForSelector(".test-open >> text=trace");
  await page.click(".tests tbody tr:nth-child(3) button");
  await page.click(".again");
  await page.waitForSelector(".suite-result.good >> text=3 passed");
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(readFileSync(`${work}/account.abs`, "utf8").replace("balance - amount", "balance - amount - 1"));
  await page.click(".again");
  await page.waitForSelector(".suite-result.bug >> text=2 failed");
  await waitForCount(".tests tr.bug", 2);
  const [tests] = await Promise.all([page.waitForEvent("download"), page.click(".tests >> text=JUnit")]);
  assert.match(readFileSync(await tests.path(), "utf8"), /failures="2"/);
  const [suite] = await Promise.all([page.waitForEvent("download"), page.click(".tests .bar >> text=JSON")]);
  assert.equal(JSON.parse(readFileSync(await suite.path(), "utf8")).tests.length, 3);
  const [model] = await Promise.all([page.waitForEvent("download"), page.click(".tests .bar >> text=ABS")]);
  assert.match(readFileSync(await model.path(), "utf8"), /module [^]*withdraw/);

  // Tests for a C function; each is an execution. Run again on the function with an error in it, and when it does not compile.
  await openExample("generate/functions.c");
  await page.check("[aria-label='generate tests for ring_push']");
  await page.selectOption("[aria-label=verb]", "generate");
  await run();
  await waitForCount(".tests tbody tr", 3);
  await says(".verdict .sentence", /exhaustive within bounds: 3 schedules explored/);
  await page.click(".tabs >> text=runs");
  await sameInShell(0, await page.textContent(".runs tr.current button"));
  await says(".tests tbody tr:nth-child(2)", /not \(3 <u ring\[0\]\.count\)\(3 <u ring\[0\]\.head\)/);
  const [data] = await Promise.all([page.waitForEvent("download"), page.click(".tests .bar >> text=JSON")]);
  const kept = JSON.parse(readFileSync(await data.path(), "utf8"));
  assert.deepEqual(kept.map((t) => [t.number, t.outcome, t.result]), [[1, "ok", "1"], [2, "ok", "0"], [3, "ok", "0"]]);
  const [driver] = await Promise.all([page.waitForEvent("download"), page.click(".tests .bar >> text=C")]);
  assert.match(readFileSync(await driver.path(), "utf8"), /ring_push/);
  await page.click("[aria-label='test 2']");
  await says(".condition", /ring\[0\]\.head/);
  await page.click(".views >> text=tree");
  await waitForCount(".tree-end", 3);
  await page.click(".views >> text=tests");
  await page.click(".again");
  await page.waitForSelector(".suite-result.good >> text=3 passed");
  const functions = readFileSync(`${work}/functions.c`, "utf8");
  await replace(functions.replace("ring->count++", "ring->count += 2"));
  await page.click(".again");
  await page.waitForSelector(".suite-result.bug >> text=3 tests: 2 passed, 1 failed");
  await says(".tests tr.bug", /✗ ring\[0\]\.count is 2, expected 1/);
  await waitForCount(".tests tr.good", 2);
  const [results] = await Promise.all([page.waitForEvent("download"), page.click(".tests >> text=JUnit")]);
  assert.match(readFileSync(await results.path(), "utf8"), /failures="1"/);
  await replace(functions.replace("ring->count++", "ring->cnt++"));
  await page.click(".again");
  await page.waitForSelector(".suite-result.bug >> text=no member named 'cnt'");

  // A long search is stopped, and its result is kept.
  writeFileSync(`${work}/long.c`, `#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *f(void *p) { for (int i = 0; i < 9; i++) atomic_store(&x, atomic_load(&x) + 1); return p; }
int main(void) { pthread_t a, b, c; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0); pthread_create(&c, 0, f, 0);
  pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0); return 0; }
`);
  await page.reload();
  await page.click(".files >> text=long.c");
  await page.waitForSelector(".tabs [aria-selected=true] >> text=long.c");
  await page.click(".run");
  await says(".progress", /executions, .*\/s, \d+ workers?, 0 bugs; about .* in all \(between .* and .*\)/);
  await page.waitForSelector(".plot path.coverage", { state: "attached" });
  await says(".plot figcaption", /outcomes of branches covered: 2 of 2/);
  await page.click(".stop");
  await page.waitForSelector(".verdict.open");
  await says(".verdict .sentence", /interrupted/);

  // It is resumed; a page that is opened meanwhile shows it; stopped again.
  await page.click(".resume");
  await page.waitForSelector(".stop:not([disabled])");
  await page.reload();
  await page.waitForSelector(".stop:not([disabled])");
  await page.waitForSelector(".progress >> text=executions");
  await page.click(".stop");
  await page.waitForSelector(".resume");

  // Both themes; a wrong token.
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  const before = await theme();
  await page.click("[aria-label='dark or light']");
  await page.waitForFunction((old) => document.documentElement.dataset.theme !== old, before);
  await page.goto(url.replace(/token=.*/, "token=0"));
  await page.waitForSelector("[role=alert] >> text=token");

  // A report is the same page with its data, from a file.
  copyFileSync(`${examples}/bank.c`, `${work}/again.c`);
  assert.equal(spawnSync(sennit, ["test", "again.c", "-q", "--html=report.html"], { cwd: work }).status, 1);
  await page.goto(`file://${work}/report.html`);
  await page.waitForSelector(".verdict.bug");
  await begins(0, ["lock alice.lock", "lock bob.lock"]);
  await says(".source", /pthread_mutex_lock/);
  await page.click(".views >> text=tree");
  await page.waitForSelector(".tree-end.bug");

  // On paper: steps and sources without bars to scroll, no buttons.
  await page.click(".views >> text=execution");
  await page.emulateMedia({ media: "print" });
  await visible(".step");
  await page.locator(".pane-head button").first().waitFor({ state: "hidden" });
  assert.deepEqual(errors, []);
  console.log("ok");
} finally {
  await browser.close();
  server.kill("SIGINT");
}
