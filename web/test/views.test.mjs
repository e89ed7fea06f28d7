// Trees, graphs, outlines, links, coverage and results of suites, as far as nothing is drawn.
import { test } from "node:test";
import assert from "node:assert/strict";
import { load } from "./load.mjs";

const { filterTree, allEnds, endGroup } = await load("treefilter.ts");
const { layoutOf, edgePath, orderEdges } = await load("graph.ts");
const { outlineOf } = await load("outline.ts");
const { readLink, writeLink } = await load("link.ts");
const { parseLcov, coverageOf, markOf } = await load("coverage.ts");
globalThis.location = { search: "" };
const { splitWords } = await load("api.ts");
const { diagramSvg, pictureScale } = await load("diagram.ts");
const { foldersOf, ownName, verbsOf } = await load("programs.ts");
const { bugsByCause, progressWords, short } = await load("words.ts");
const { suiteLines, valuesOf, printedTests } = await load("testvalues.ts");

const end = (name, kind, bug) => ({ name, kind, id: "1", bug, summary: "ends", steps: 2 });
const tree = {
  executions: 3, steps: [{ agent: "0", text: "start" }], ends: [],
  children: [
    { executions: 2, steps: [{ agent: "0.1", text: "lock a" }], ends: [end("x", "deadlock", true), end("y", "test", false)], children: [] },
    { executions: 1, steps: [{ agent: "0.2", text: "lock b" }], ends: [end("z", "test", false)], children: [] },
  ],
};

test("a filter keeps what leads to the ends it lets through", () => {
  assert.deepEqual(allEnds(filterTree(tree, { group: "bug", text: "" })).map((e) => e.name), ["x"]);
  assert.deepEqual(allEnds(filterTree(tree, { group: "", text: "0.2" })).map((e) => e.name), ["z"]);
  assert.equal(filterTree(tree, { group: "bug", text: "0.2" }), null);
  assert.equal(filterTree(tree, { group: "ends", text: "" }).executions, 2);
  assert.deepEqual(allEnds(tree).map(endGroup), ["deadlock-1", "ends", "ends"]);
});

test("nodes of a graph are apart, edges go from border to border", () => {
  const edges = [{ from: "a", to: "b", label: "1" }, { from: "b", to: "c", label: "2" }, { from: "c", to: "a", label: "3" }];
  const layout = layoutOf(edges);
  const { nodes, width, height } = layout;
  assert.deepEqual([...nodes.keys()], ["a", "b", "c"]);
  for (const { at, half } of nodes.values()) assert.ok(at.x >= half && at.x <= width - half && at.y >= 13 && at.y <= height - 13);
  assert.match(edgePath(edges[0], layout).d, /^M[\d.]+ [\d.]+ Q[\d.]+ [\d.]+ [\d.]+ [\d.]+$/);
  assert.match(edgePath({ from: "a", to: "a", label: "" }, layout).d, /c/);
});

test("boxes and labels of graphs stay inside and do not overlap", () => {
  for (const size of [2, 3, 4, 5, 6, 7, 9, 12, 20]) {
    const names = Array.from({ length: size }, (_, i) => `a_thread_${i} (0.${i})`);
    const edges = names.map((from, i) => ({ from, to: names[(i + 1) % size], label: `some.lock (line ${i})` }));
    const layout = layoutOf(edges);
    const boxes = [...layout.nodes.values()].map(({ at, half }) => ({ left: at.x - half, right: at.x + half, top: at.y - 13, bottom: at.y + 13 }));
    const labels = edges.map((e) => {
      const { x, y, anchor } = edgePath(e, layout).label;
      const left = x - { start: 0, middle: 0.5, end: 1 }[anchor] * e.label.length * 6;
      return { left, right: left + e.label.length * 6, top: y - 9, bottom: y + 1 };
    });
    const all = [...boxes, ...labels];
    for (const a of all) {
      assert.ok(a.left >= -1 && a.right <= layout.width + 1 && a.top >= 0 && a.bottom <= layout.height, `${size} nodes: ${JSON.stringify(a)}`);
      for (const b of all) assert.ok(a === b || a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top, `${size} nodes: ${JSON.stringify([a, b])}`);
    }
  }
});

test("an outline has methods below their classes", () => {
  const model = "module M;\ninterface I {\n    Int f();\n}\nclass C implements I {\n    Int f() {\n        if (x) {\n        }\n    }\n}\n";
  assert.deepEqual(outlineOf(model, "m.abs").map((i) => [i.kind, i.name, i.owner]),
    [["module", "M", undefined], ["interface", "I", undefined], ["class", "C", undefined], ["method", "f", "C"]]);
  const odd = "module M;\n/* class D { Unit g() { } } */\nclass C(Int size) {\n\tMap<Int, List<Int>> all = EmptyMap;\n\tUnit f(Int a,\n\t\tInt b)\n\t{ String s = \"class E {\"; if (a) { this.f(1, 2); } }\n\tList<Int> h() { return Nil; }\n}\n{ new C(1); }\n";
  assert.deepEqual(outlineOf(odd, "m.abs").map((i) => [i.kind, i.name, i.line]), [["module", "M", 1], ["class", "C", 3], ["method", "f", 5], ["method", "h", 8]]);
  const functions = "module M;\ndef Set<A> insert<A>(Set<A> s, A x) = s;\ndef Bool isIn(Int x) =\n  True;\n";
  assert.deepEqual(outlineOf(functions, "m.abs").map((i) => [i.kind, i.name, i.line]), [["module", "M", 1], ["def", "insert", 2], ["def", "isIn", 3]]);
  const threads = "#define F(x) { x }\nstatic void *work(void *p) { return p; } // int no(void) {\nstruct point at = { 1 };\nint\nmain(int argc,\n     char **argv)\n{\n    pthread_create(&t, NULL, work, NULL);\n    if (argc) {\n    }\n}\nint declared(void);\n";
  assert.deepEqual(outlineOf(threads, "a.c").map((i) => [i.name, i.line, i.thread]), [["work", 2, true], ["main", 5, undefined]]);
  assert.deepEqual(outlineOf("static int f(int x)\n{\n    return g(x);\n}\nint main(void)\n{\n}\n", "a.c").map((i) => [i.name, i.line]), [["f", 1], ["main", 5]]);
});

test("figures of a search in words", () => {
  const stats = { seconds: 2, executions: 30000, redundant: 0, bugs: 1, estimate: 4.46e6, estimate_low: 100, estimate_high: 3.5e15, workers: 2 };
  assert.equal(progressWords(stats), "30,000 executions, 15 k/s, 2 workers, 1 bug; about 4.46 M in all (between 30 k and 10^16)");
  assert.equal(progressWords({ ...stats, estimate: 0, bugs: 0, workers: 1 }), "30,000 executions, 15 k/s, 1 worker, 0 bugs");
  assert.deepEqual([950, 12345, 2.5e9].map(short), ["950", "12 k", "2.50 G"]);
});

test("bugs that an execution shows later are under the first", () => {
  const bug = (kind, after) => ({ kind, id: "1", after });
  const shape = (bugs) => bugsByCause(bugs).map(({ bug: first, effects }) => [first.kind, effects.map((e) => e.kind)]);
  assert.deepEqual(shape([bug("deadlock", ["data-race-1", "crash-1"]), bug("data-race"), bug("crash", ["data-race-1"])]), [["data-race", ["deadlock", "crash"]]]);
  assert.deepEqual(shape([bug("deadlock", ["data-race-9"]), bug("crash")]), [["deadlock", []], ["crash", []]]);
  assert.deepEqual(shape([bug("a", ["b-1"]), bug("b", ["a-1"])]), [["a", []], ["b", []]]);
});

test("words of a command line, as a shell reads them", () => {
  assert.deepEqual(splitWords(" util.c -DN=4  '-DS=a b' -I\"my dir\" -- 'x'"), ["util.c", "-DN=4", "-DS=a b", "-Imy dir", "--", "x"]);
  assert.deepEqual(splitWords(""), []);
});

test("a link says what it was made of", () => {
  const link = { verb: "generate", file: "a b.abs", methods: ["C.f", "C.g"], more: "-DN=2 b.abs", values: { loop: "2", emit: "abs" } };
  assert.deepEqual(readLink("#" + writeLink(link)), link);
  assert.deepEqual(readLink(""), { methods: [], values: {} });
});

test("coverage belongs to a file by the end of its name", () => {
  const coverage = parseLcov("TN:\nSF:/w/bank.c\nDA:32,1\nDA:39,0\nDA:40,1\nBRDA:40,0,0,1\nBRDA:40,0,1,-\nend_of_record\n");
  assert.deepEqual([...coverageOf(coverage, "bank.c")].map(([line, known]) => [line, markOf(known).sign, known.outcomes]), [[32, "▎", 0], [39, "✗", 0], [40, "◐", 2]]);
  assert.equal(markOf(coverageOf(coverage, "bank.c").get(40)).words, "executed; 1 of 2 outcomes of its branches");
  assert.equal(coverageOf(coverage, "ank.c"), undefined);
});

test("values of a test are those of the model, not numbers of constructors", () => {
  const before = (shown, value) => ({ before: { shown, value } });
  const given = { inputs: [{ name: "Account_1.log", value: "1" }],
    objects: [{ variable: "account1", path: "Account_1", fields: [{ name: "log", ...before("Cons(Account_1.log.head, Nil)", "Cons(10, Nil)") }, { name: "owner", ...before("_", "null") }] }],
    tasks: [{ object: "account1", method: "withdraw", arguments: [{ name: "amount", ...before("x", "0") }] }] };
  assert.deepEqual(valuesOf(given), ["Account_1.log = Cons(10, Nil)", "Account_1.withdraw.amount = 0"]);
});

test("how tests went: passed, failed with reasons, not run", () => {
  const lines = suiteLines("ok      f 1  (t/f_tests.c)\nskip    f 2  (t/f_tests.c)\n        it crashes\nFAILED  f 12  (t/f_tests.c)\n        a is 1\n        b is 2\n2 tests: 1 passed, 1 failed; 1 not run\n");
  assert.deepEqual([...lines].map(([number, l]) => [number, l.state, l.why]), [[1, "passed", ""], [2, "skipped", "it crashes"], [12, "failed", "a is 1; b is 2"]]);
});

test("tests of a C function as they are printed", () => {
  const said = printedTests("test 1: ok  ring[0].head -1  item 0  => 0\ntest 2: crash  x 5\n2 tests in out\nout/f_tests.c contains 1 of them\n");
  assert.deepEqual(said, { file: "f_tests.c", tests: [
    { number: 1, outcome: "ok", values: ["ring[0].head = -1", "item = 0"], result: "0" },
    { number: 2, outcome: "crash", values: ["x = 5"], result: "" }] });
});

test("lock orders: one edge for all threads, those on a cycle marked", () => {
  const order = (from, to, thread, line) => ({ from, to, thread, requested: { file: "x.c", line } });
  assert.deepEqual(orderEdges([order("a", "b", "main", 3), order("a", "b", "t", 7), order("b", "a", "t", 9), order("b", "c", "t", 5)]), [
    { from: "a", to: "b", label: "main:3 +1", circular: true },
    { from: "b", to: "a", label: "t:9", circular: true },
    { from: "b", to: "c", label: "t:5", circular: false }]);
});

test("a diagram to keep has marks and words, and no picture is too long", () => {
  const agents = [{ path: "0", name: "main", owner: "main" }, { path: "0.1", name: "DB_1.get", owner: "DB_1" }];
  const steps = [{ agent: 0, text: "begins", accesses: [], creates: [1] }, { agent: 1, text: "begins", accesses: [] }];
  const sequence = [{ time: 0, object: "main", task: "main", then: "returned" }, { time: 1, object: "DB_1", task: "get", then: "blocked" }];
  const svg = diagramSvg({ agents, steps, sequence, resources: [], blocked: [{ agent: 1, text: "continues after get" }], findings: [{ kind: "deadlock", position: 2, agents: [1], places: [] }] },
    { order: false, critical: 1 });
  for (const part of ["✓ main returned", "■ get blocked", "■ get waits to continue after get", "⚠2", 'stroke="#b42318" stroke-width="2"', 'marker-end="url(#t)"']) assert.ok(svg.includes(part), part);
  assert.deepEqual([pictureScale(300, 400), pictureScale(300, 16000), pictureScale(300, 280000)], [2, 1, undefined]);
});

test("files stand in their folders; what a file is run with", () => {
  assert.deepEqual(foldersOf("w", [{ name: "a.c" }, { name: "x/b.c" }, { name: "x/y/c.c" }, { name: "x/d.c" }]), {
    name: "w", files: [{ name: "a.c", path: "a.c" }],
    folders: [{ name: "x", files: [{ name: "b.c", path: "x/b.c" }, { name: "d.c", path: "x/d.c" }], folders: [{ name: "y", files: [{ name: "c.c", path: "x/y/c.c" }], folders: [] }] }],
  });
  assert.deepEqual(["examples:abs/a.abs", "x/a.c"].map(ownName), ["a.abs", "x/a.c"]);
  assert.deepEqual(["a.abs", "a.c", "a.conf"].map((n) => verbsOf(n)[0]), ["explore", "test", "explore"]);
});
