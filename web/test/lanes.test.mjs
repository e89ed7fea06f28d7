// Lanes, arrows and states of small executions.
import { test } from "node:test";
import assert from "node:assert/strict";
import { load } from "./load.mjs";

const { queuesAt } = await load("queues.ts");
const { deadlockedLanes, lanesOf, arrowsOf, stateAt, splitChanges, partingStep, relevantSteps, pathCondition, stepText, endRows, boxText, isWeak } = await load("lanes.ts");

const agent = (path, more) => ({ path, name: path, creator: -1, steps: 1, ...more });
const step = (number, text, more) => ({ agent: number, text, accesses: [], ...more });
const execution = (agents, steps, more) => ({ agents, steps, blocked: [], resources: [], findings: [], ...more });

test("a thread that does nothing has no lane", () => {
  const e = execution([agent("0"), agent("0.1"), agent("0.2")], [step(1, "lock a"), step(2, "lock b")]);
  const lanes = lanesOf(e);
  assert.deepEqual(lanes.lanes.map((l) => l.name), ["0.1", "0.2"]);
  assert.deepEqual(lanes.laneOf, [-1, 0, 1]);
});

test("tasks of one object share its lane", () => {
  const e = execution([agent("0", { owner: "main" }), agent("0.1", { owner: "DB_1" }), agent("0.2", { owner: "DB_1" })],
    [step(0, "begins", { creates: [1, 2] }), step(2, "begins"), step(1, "begins")]);
  const lanes = lanesOf(e);
  assert.deepEqual(lanes.laneOf, [0, 1, 1]);
  assert.deepEqual(arrowsOf(e, lanes, false), [{ from: 0, to: 2, kind: "message" }, { from: 0, to: 1, kind: "message" }]);
});

test("an agent of a kind that the page does not know has a lane of its own", () => {
  const e = execution([agent("0"), agent("0.1", { name: "crash of node 2", kind: "fault", node: 2 }), agent("0.2", { receiver: 7, sender: 9 })],
    [step(0, "lock a"), step(1, "drops what was not synced", { creates: [12], after: [0] }), step(2, "arrives")]);
  const lanes = lanesOf(e);
  assert.deepEqual(lanes.lanes.map((l) => l.name), ["0", "crash of node 2", "0.2"]);
  assert.deepEqual(queuesAt(execution([agent("0"), agent("0.1", { receiver: 7, name: "Note" })], [step(0, "send", { creates: [1] })]), 1), [{ holder: "?", items: ["Note"] }]);
  assert.equal(stepText(e, 1), "drops what was not synced");
  assert.deepEqual(arrowsOf(e, lanes, true), [{ from: 0, to: 1, kind: "order" }]);
});

test("lanes of one node of a cluster stand beside each other; what is sent leads to the step that notices it", () => {
  const e = execution([agent("0", { name: "cluster" }), agent("0.1", { name: "s/main" }), agent("0.2", { name: "c/main" }), agent("0.3", { name: "s/w (0.1.1)" })],
    [step(0, "listen socket 3 of s"), step(1, "load x"), step(2, "connect socket 3 of c"), step(3, "accept socket 3 of s", { after: [2, 1] }),
      step(2, "write socket 3 of c"), step(1, "poll socket 3 of s", { after: [4] }), step(2, "connect socket 4 of c", { after: [5] })]);
  const lanes = lanesOf(e);
  assert.deepEqual(lanes.lanes.map((l) => [l.node, l.name]), [[undefined, "cluster"], ["s", "main"], ["s", "w (0.1.1)"], ["c", "main"]]);
  assert.deepEqual(lanes.laneOf, [0, 1, 3, 2]);
  assert.deepEqual(arrowsOf(e, lanes, false), [{ from: 2, to: 3, kind: "message" }, { from: 4, to: 5, kind: "message" }]);
  const threads = execution([agent("0"), agent("0.1", { name: "kworker/0" })], [step(1, "lock a")]);
  assert.deepEqual(lanesOf(threads).lanes.map((l) => [l.node, l.name]), [[undefined, "kworker/0"]]);
});

test("datagrams share a lane; arrows lead to it and from it", () => {
  const e = execution([agent("0", { name: "cluster" }), agent("0.1", { name: "s/main" }), agent("0.2", { name: "c/main" }), agent("0.2.1", { name: "c/datagram (0.2.1)" }), agent("0.2.2", { name: "c/datagram (0.2.2)" })],
    [step(2, "send from socket 3 of c", { creates: [3] }), step(2, "send from socket 3 of c", { creates: [4] }), step(3, "arrive at socket 3 of s"), step(4, "arrive at socket 3 of s", { after: [2] }), step(1, "read socket 3 of s", { after: [2] })]);
  const lanes = lanesOf(e);
  assert.deepEqual(lanes.lanes.map((l) => [l.node, l.name, l.agents]), [["s", "main", [1]], ["c", "main", [2]], [undefined, "network", [3, 4]]]);
  assert.deepEqual(arrowsOf(e, lanes, false), [{ from: 0, to: 2, kind: "message" }, { from: 1, to: 3, kind: "message" }, { from: 2, to: 4, kind: "message" }]);
  assert.equal(boxText(e, lanes, 2), "from c: arrive at socket 3 of s");
  const threads = execution([agent("0", { name: "main" }), agent("0.1", { name: "datagram (0.1)" })], [step(0, "send from s", { creates: [1] }), step(1, "arrive at r")]);
  assert.deepEqual([lanesOf(threads).laneOf, boxText(threads, lanesOf(threads), 1)], [[0, 1], "arrive at r"]);
});

test("what is sent through a connection leads to its arrival, and from there to the step that notices it", () => {
  const e = execution([agent("0", { name: "cluster" }), agent("0.1", { name: "s/main" }), agent("0.2", { name: "c/main" }), agent("0.2.1", { name: "c/wire (0.2.1)" }), agent("0.2.2", { name: "c/wire (0.2.2)" }), agent("0.4", { name: "partition (0.4)" })],
    [step(2, "connect socket 3 of c", { creates: [3, 4] }), step(3, "arrive at socket 3 of s"), step(1, "accept socket 3 of s", { after: [1] }),
      step(1, "write the end accepted from socket 3 of c"), step(5, "cut the link between s and c"), step(4, "arrive at bytes of socket 3 of c", { after: [3, 4] }),
      step(2, "read socket 3 of c", { after: [5] })]);
  const lanes = lanesOf(e);
  assert.deepEqual(lanes.lanes.map((l) => [l.node, l.name, l.agents]), [["s", "main", [1]], ["c", "main", [2]], [undefined, "network", [3, 4, 5]]]);
  assert.deepEqual(arrowsOf(e, lanes, false), [{ from: 0, to: 1, kind: "message" }, { from: 1, to: 2, kind: "message" }, { from: 3, to: 5, kind: "message" }, { from: 5, to: 6, kind: "message" }]);
});

test("messages are in the lane of their receiver", () => {
  const e = execution([agent("0"), agent("0.1"), agent("0.2", { sender: 0, receiver: 1 })],
    [step(0, "send", { creates: [2] }), step(1, "starts"), step(2, "receive")]);
  const lanes = lanesOf(e);
  assert.deepEqual(lanes.laneOf, [0, 1, 1]);
  assert.deepEqual(arrowsOf(e, lanes, false), [{ from: 0, to: 2, kind: "message" }]);
});

test("locks are held until they are released; values are marked when they change", () => {
  const write = (resource, after) => ({ accesses: [{ resource, mode: "write", before: "0", after }] });
  const e = execution([agent("0"), agent("0.1")],
    [step(0, "lock m", write(0, "2")), step(0, "store x: 0 -> 7", write(1, "7")), step(0, "unlock m", write(0, "0"))],
    { resources: ["m", "x"] });
  assert.deepEqual(stateAt(e, 2), { values: [{ name: "x", value: "7", changed: true }], locks: [{ lock: "m", agent: 0 }] });
  assert.deepEqual(stateAt(e, 3), { values: [{ name: "x", value: "7", changed: false }], locks: [] });
});

test("changes of fields are separated by semicolons, which texts may contain", () => {
  assert.deepEqual(splitChanges('x = 3; l = list[1, Pair(2, "a; \\"b = c")]; b = True'),
    [["x", "3"], ["l", 'list[1, Pair(2, "a; \\"b = c")]'], ["b", "True"]]);
  assert.deepEqual(splitChanges(""), []);
});

test("executions part at the first step that differs", () => {
  const agents = [agent("0"), agent("0.1")];
  const a = execution(agents, [step(0, "lock a"), step(1, "lock b")]);
  const b = execution(agents, [step(0, "lock a"), step(0, "lock b")]);
  assert.equal(partingStep(a, b), 1);
  assert.equal(partingStep(a, execution(agents, [step(0, "lock a")])), 1);
});

test("a bug depends on what happens before the last steps of its agents", () => {
  const agents = [agent("0"), agent("0.1"), agent("0.2")];
  const steps = [step(0, "create", { creates: [1] }), step(2, "store y"), step(1, "lock m"), step(0, "lock n", { after: [2] }), step(2, "store y")];
  const finding = { kind: "deadlock", agents: [0], places: [] };
  assert.deepEqual(relevantSteps(execution(agents, steps, { findings: [finding] })), [true, false, true, true, false]);
  assert.deepEqual(relevantSteps(execution(agents, steps)), [true, true, true, true, true]);
  const apart = [step(0, "lock n", { accesses: [{ resource: 0 }] }), step(2, "store y", { accesses: [{ resource: 1 }] })];
  assert.deepEqual(relevantSteps(execution(agents, apart, { findings: [finding] })), [true, false]);
  const together = [...apart, step(2, "store x", { accesses: [{ resource: 0 }] })]; // under weak memory their order is not known
  assert.deepEqual(relevantSteps(execution(agents, together, { findings: [finding] })), [true, true, true]);
});

test("the path condition grows with the steps", () => {
  const choice = (condition) => ({ choices: [{ taken: 0, options: 2, input: true, condition }] });
  const e = execution([agent("0")], [step(0, "branch", choice("(x <s 3)")), step(0, "choice", { choices: [{ taken: 0, options: 2 }] }), step(0, "branch", choice("not (y == 0)"))]);
  assert.deepEqual(pathCondition(e, 2), ["(x <s 3)"]);
  assert.deepEqual(pathCondition(e, 3), ["(x <s 3)", "not (y == 0)"]);
});

test("who waits for something else than the bug has no lane", () => {
  const e = execution([agent("0"), agent("0.1")], [step(1, "lock a")],
    { blocked: [{ agent: 0, text: "join", accesses: [] }, { agent: 1, text: "lock a", accesses: [] }], findings: [{ kind: "deadlock", position: 1, agents: [1], places: [] }] });
  assert.deepEqual(lanesOf(e).lanes.map((l) => l.name), ["0.1"]);
});

test("a branch says its condition, a clock its time", () => {
  const e = execution([agent("0")], [step(0, "branch", { choices: [{ taken: 1, options: 2, input: true, condition: "not (x <s 3)" }] })]);
  assert.equal(stepText(e, 0), "branch: not (x <s 3)");
  assert.equal(stepText({ ...e, sequence: [{ time: 1, clock: "2" }] }, 0), "◷ it is 2");
});

test("steps of actors are not dimmed", () => {
  const e = execution([agent("0"), agent("0.1", { sender: 0, receiver: 0 })], [step(1, "receive"), step(0, "end", { after: [] })], { findings: [{ agents: [0] }] });
  assert.deepEqual(relevantSteps(e), [true, true]);
});

test("a lock that is handed over and a thread that is joined have arrows", () => {
  const e = execution([agent("0"), agent("0.1"), agent("0.2")], [step(1, "lock m"), step(1, "unlock m"), step(1, "lock m"), step(1, "unlock m"),
    step(2, "lock m"), step(1, "exit"), step(0, "join 0.1", { after: [5] })]);
  assert.deepEqual(arrowsOf(e, lanesOf(e), false), [{ from: 5, to: 6, kind: "join" }, { from: 3, to: 4, kind: "lock" }]);
});

test("messages wait until they are received, tasks until they have returned", () => {
  const mail = execution([agent("0"), agent("0.1"), agent("0.2", { sender: 0, receiver: 1 })], [step(0, "send", { creates: [2] }), step(2, "receive")]);
  assert.deepEqual([0, 1, 2].map((count) => queuesAt(mail, count)), [[], [{ holder: "0.1", items: ["0.2"] }], []]);
  const tasks = execution([agent("0", { owner: "main" }), agent("0.1", { owner: "A", name: "A.f" })], [step(0, "begins", { creates: [1] }), step(1, "begins"), step(1, "continues")],
    { sequence: [{ then: "returned" }, { then: "waiting" }, { then: "returned" }], findings: [{ kind: "deadlock", agents: [1] }] });
  assert.deepEqual([1, 2, 3].map((count) => queuesAt(tasks, count)[0]?.items), [["f (not begun)"], ["f (waiting)"], undefined]);
  assert.deepEqual([...deadlockedLanes(tasks, lanesOf(tasks))], [1]);
});

test("behind the last step: who waits, or what the agents of a bug do", () => {
  const agents = [agent("0", { name: "main" }), agent("0.1", { name: "f (0.1)" })];
  const blocked = [{ agent: 0, text: "join f (0.1)", line: 4, accesses: [] }];
  const rows = (finding) => endRows(execution(agents, [step(0, "create")], { blocked, findings: finding ? [finding] : [] })).map((r) => [r.agent, r.kind, r.text, r.line]);
  const race = { kind: "data-race", position: 1, agents: [1, 0], places: [{ file: "a.c", line: 3 }, { file: "a.c", line: 4 }], summary: "read of x" };
  assert.deepEqual(rows(race), [[1, "fails", "read of x", 3], [0, "fails", "data race", 4]]);
  assert.deepEqual(rows({ ...race, actions: ["reads x", "writes x"] }), [[1, "fails", "reads x", 3], [0, "fails", "writes x", 4]]);
  assert.deepEqual(rows({ ...race, position: 0 }), []); // it went on behind the bug
  assert.deepEqual(rows(), [[0, "waits", "waits: join f (0.1)", 4]]);
  const tasks = [agent("0.1", { name: "DB_1.get", owner: "DB_1" })];
  const said = (text) => endRows(execution(tasks, [], { blocked: [{ agent: 0, text }] }))[0].text;
  assert.deepEqual(["begins", "continues after get", "its turn"].map(said), ["get waits to begin", "get waits to continue after get", "get waits: its turn"]);
});

test("in its lane a step does not say again who takes it", () => {
  const actors = execution([agent("0", { name: "p0" }), agent("0.1", { sender: 0, receiver: 0, name: "Note" })], [step(1, "p0 receives Note(1)"), step(0, "p01 starts")]);
  assert.deepEqual([0, 1].map((i) => boxText(actors, lanesOf(actors), i)), ["receives Note(1)", "p01 starts"]);
  const nodes = execution([agent("0", { name: "cluster" }), agent("0.1", { name: "s/main" })], [step(1, "poll socket 3 of s"), step(1, "read from socket 4 of c")]);
  assert.deepEqual([0, 1].map((i) => boxText(nodes, lanesOf(nodes), i)), ["poll socket 3", "read from socket 4 of c"]);
});

test("under weak memory arrows lead from the write to what read it", () => {
  const read = (taken) => ({ accesses: [{ resource: 0, mode: "read" }], choices: [{ taken, options: 2, possible: [{ option: 0, step: 0, value: "1" }, { option: 1, value: "0" }] }] });
  const e = execution([agent("0"), agent("0.1")], [step(0, "store x"), step(1, "load x", read(0)), step(1, "load x", read(1))]);
  assert.deepEqual(arrowsOf(e, lanesOf(e), true), [{ from: 0, to: 1, kind: "order" }]);
  assert.deepEqual([isWeak(e), isWeak(execution([agent("0")], [step(0, "store x")]))], [true, false]);
});
