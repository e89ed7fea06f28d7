// `sennit dap` with the test client of Visual Studio Code's debug protocol: from launch to the deadlock and back.
// Usage: debugger.mjs SENNIT EXAMPLES WORK
import { spawnSync } from "node:child_process";
import assert from "node:assert/strict";
import { copyFileSync, readdirSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";

const { DebugClient } = createRequire(import.meta.url)("@vscode/debugadapter-testsupport");
const [sennit, examples, work] = process.argv.slice(2);

copyFileSync(`${examples}/bank.c`, `${work}/bank.c`);
assert.equal(spawnSync(sennit, ["test", "bank.c", "-q"], { cwd: work }).status, 1);
const bugs = `${work}/sennit-last/bugs`;
const trace = `${bugs}/${readdirSync(bugs).find((name) => name.endsWith(".trace"))}`;
const source = `${realpathSync(work)}/bank.c`;

// The client starts an adapter as "runtime executable": here the tool with its verb.
const client = new DebugClient(sennit, "dap", "sennit", { cwd: work });
await client.start();
client.defaultTimeout = 60000;
try {
  // Its own sequence: initialize, launch, breakpoints when the adapter is ready, configurationDone.
  await Promise.all([
    client.launch({ trace, stopOnEntry: false }),
    client.waitForEvent("initialized").then(async () => {
      const answer = await client.setBreakpointsRequest({ source: { path: source }, breakpoints: [{ line: 33 }] });
      assert.deepEqual(answer.body.breakpoints.map((b) => b.verified), [true]);
      return client.configurationDoneRequest();
    }),
    client.assertStoppedLocation("exception", { path: source, line: 33 }),
  ]);
  const { body: { threads } } = await client.threadsRequest();
  assert.deepEqual(threads.map((t) => t.name), ["main", "first_teller (0.1)", "second_teller (0.2)"]);
  const scopes = (await client.scopesRequest({ frameId: 1 })).body.scopes;
  assert.deepEqual(scopes.map((s) => s.name), ["Shared", "Inputs"]);

  // Back to the entry, and one step forward again.
  await Promise.all([client.waitForEvent("stopped"), client.stepBackRequest({ threadId: threads[2].id })]);
  await Promise.all([client.waitForEvent("stopped"), client.stepBackRequest({ threadId: threads[2].id })]);
  const values = async () => (await client.variablesRequest({ variablesReference: scopes[0].variablesReference })).body.variables;
  assert.deepEqual(await values(), []);
  const [stopped] = await Promise.all([client.waitForEvent("stopped"), client.nextRequest({ threadId: threads[1].id })]);
  assert.deepEqual([stopped.body.reason, stopped.body.threadId], ["step", threads[2].id]);
  assert.deepEqual((await values()).map((v) => v.name), ["alice.lock"]);
  await Promise.all([client.waitForEvent("terminated"), client.disconnectRequest()]);
  console.log("ok");
} finally {
  client.stopAdapter();
}
