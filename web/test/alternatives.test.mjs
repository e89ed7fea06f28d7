// What else could have happened at a step.
import { test } from "node:test";
import assert from "node:assert/strict";
import { load } from "./load.mjs";

const { alternativesOf, opposite } = await load("alternatives.ts");

const agents = [{ path: "0", name: "main" }, { path: "0.1", name: "writer" }];
const at = (step) => alternativesOf({ agents, steps: [{ agent: 1, text: "store x", accesses: [] }, step] }, 1);

test("another agent, or another choice", () => {
  const step = { agent: 0, text: "wait", accesses: [], enabled: [0, 1], choices: [{ taken: 1, options: 3, input: false }] };
  assert.deepEqual(at(step), [
    { words: "writer went first", instead: "2:0.1" },
    { words: "choice 0 of 3", instead: "2:0/1=0" },
    { words: "choice 2 of 3", instead: "2:0/1=2" },
  ]);
});

test("the other outcome of a branch", () => {
  assert.deepEqual(at({ agent: 0, text: "branch", accesses: [], choices: [{ taken: 0, options: 2, input: true, condition: "(x <s 3)" }] }),
    [{ words: "not (x <s 3)", instead: "2:0/1=1" }]);
  assert.equal(opposite("not (x <s 3)"), "(x <s 3)");
});

test("another write", () => {
  const possible = [{ option: 0, step: 0, value: "1" }, { option: 1, value: "0" }];
  const step = (taken) => ({ agent: 0, text: "load x", accesses: [{ mode: "read" }], choices: [{ taken, options: 2, input: false, possible }] });
  assert.deepEqual(at(step(1)), [{ words: "it read 1, written in step 1 by writer", instead: "2:0/1=0" }]);
  assert.deepEqual(at(step(0)), [{ words: "it read 0, the initial value", instead: "2:0/1=1" }]);
});

test("nothing", () => assert.deepEqual(alternativesOf({ agents, steps: [] }, 0), []));
