// An execution as lanes: which lane each step is in, and the arrows between steps. Nothing here draws.
import type { Execution, Finding, Place, Step } from "./types.ts";

export interface Lane {
  name: string;
  node?: string; // of a cluster
  agents: number[];
}

export interface Arrow {
  from: number; // step
  to: number; // step
  kind: "create" | "message" | "join" | "lock" | "order";
}

export interface Lanes {
  lanes: Lane[];
  laneOf: number[]; // by agent
}

// In a cluster the threads of a node are named after it: "primary/main".
const isCluster = (execution: Execution) => execution.agents[0]?.name === "cluster";

export function nodeOf(execution: Execution, agent: number): string | undefined {
  const name = execution.agents[agent]!.name;
  return isCluster(execution) && name.includes("/") ? name.slice(0, name.indexOf("/")) : undefined;
}

// Each datagram, each direction of a connection and each cut is an agent; their steps are in one lane.
const isDatagram = (execution: Execution, agent: number) => /^(?:[^/]*\/)?datagram \(/.test(execution.agents[agent]!.name);
const isWire = (execution: Execution, agent: number) => /^(?:[^/]*\/)?wire \(/.test(execution.agents[agent]!.name);
const isOfNetwork = (execution: Execution, agent: number) =>
  isDatagram(execution, agent) || isWire(execution, agent) || (isCluster(execution) && execution.agents[agent]!.name.startsWith("partition ("));

// A lane per object of a model, per actor, per thread.
export function lanesOf(execution: Execution): Lanes {
  const lanes: Lane[] = [];
  const byName = new Map<string, number>();
  const laneOf = execution.agents.map((agent, number) => {
    const actor = agent.receiver !== undefined ? execution.agents[agent.receiver] : undefined;
    const network = isOfNetwork(execution, number);
    const name = network ? "network" : agent.owner ?? actor?.name ?? agent.name;
    const key = network ? "n" : agent.owner !== undefined ? "o" + name : "a" + (agent.receiver ?? number);
    let lane = byName.get(key);
    if (lane === undefined) {
      lane = lanes.length;
      const node = network ? undefined : nodeOf(execution, number);
      lanes.push(node === undefined ? { name, agents: [] } : { name: name.slice(node.length + 1), node, agents: [] });
      byName.set(key, lane);
    }
    lanes[lane]!.agents.push(number);
    return lane;
  });
  return byNode(withoutIdle(execution, { lanes, laneOf }));
}

// Lanes of one node stand beside each other.
function byNode({ lanes, laneOf }: Lanes): Lanes {
  const nodes = [...new Set(lanes.map((lane) => lane.node))];
  const order = nodes.flatMap((node) => lanes.flatMap((lane, i) => (lane.node === node ? [i] : [])));
  return { lanes: order.map((i) => lanes[i]!), laneOf: laneOf.map((lane) => (lane < 0 ? lane : order.indexOf(lane))) };
}

// What is shown behind the last step.
export interface EndRow extends Place {
  agent: number;
  text: string;
  kind: "waits" | "fails";
}

const BUGS_OF_WAITING = new Set(["deadlock", "stuck", "livelock", "liveness"]);

// Who still waits: the agents of the bug, if it is one of waiting, or all if there is none. Else what the bug's agents do.
export function endRows(execution: Execution): EndRow[] {
  const finding = execution.findings[0];
  if (finding && !BUGS_OF_WAITING.has(finding.kind)) return failingRows(execution, finding);
  const agents = finding?.agents ?? [];
  const blocked = agents.length ? execution.blocked.filter((b) => agents.includes(b.agent)) : execution.blocked;
  return blocked.map((b) => ({ agent: b.agent, file: b.file, line: b.line, text: waitText(execution, b), kind: "waits" }));
}

// An execution may continue behind its first bug: then nothing of the bug is at its end.
function failingRows(execution: Execution, finding: Finding): EndRow[] {
  if (finding.position < execution.steps.length) return [];
  return finding.agents.slice(0, Math.max(1, finding.places.length)).map((agent, i) => ({
    agent, ...finding.places[i], text: finding.actions?.[i] ?? (i === 0 ? finding.summary : finding.kind.replaceAll("-", " ")), kind: "fails",
  }));
}

// "waits: lock m"; of a task "ping waits to begin".
function waitText(execution: Execution, blocked: Execution["blocked"][number]): string {
  const { name, owner } = execution.agents[blocked.agent]!;
  if (owner === undefined) return `waits: ${blocked.text}`;
  return `${name.replace(`${owner}.`, "")} waits${blocked.text.replace(/^(?:(begin|continue)s)?/, (_, verb) => (verb ? ` to ${verb}` : ": "))}`;
}

// Lanes in which nothing happens and nobody waits are left out.
function withoutIdle(execution: Execution, all: Lanes): Lanes {
  const used = new Set<number>();
  for (const step of execution.steps) used.add(all.laneOf[step.agent]!);
  for (const row of endRows(execution)) used.add(all.laneOf[row.agent]!);
  const number = new Map<number, number>();
  const lanes = all.lanes.filter((_, i) => used.has(i) && number.set(i, number.size));
  return { lanes, laneOf: all.laneOf.map((lane) => number.get(lane) ?? -1) };
}

export function firstSteps(execution: Execution): (number | undefined)[] {
  const first: (number | undefined)[] = execution.agents.map(() => undefined);
  execution.steps.forEach((step, i) => (first[step.agent] ??= i));
  return first;
}

export function arrowsOf(execution: Execution, lanes: Lanes, order: boolean): Arrow[] {
  const first = firstSteps(execution);
  const arrows: Arrow[] = [];
  execution.steps.forEach((step, i) => {
    for (const created of step.creates ?? []) {
      const to = first[created];
      if (to === undefined) continue;
      const { receiver, owner } = execution.agents[created]!;
      const wire = isWire(execution, created);
      if (wire && !execution.steps[to]!.text.startsWith("arrive at socket")) continue; // only the connection is sent by its maker
      const message = receiver !== undefined || owner !== undefined || wire || isDatagram(execution, created);
      if (lanes.laneOf[created] !== lanes.laneOf[step.agent] || message)
        arrows.push({ from: i, to, kind: message ? "message" : "create" });
    }
    if (order) for (const from of step.after ?? writesRead(step)) arrows.push({ from, to: i, kind: "order" });
  });
  return order ? arrows : [...arrows, ...joinArrows(execution), ...lockArrows(execution), ...networkArrows(execution)];
}

// Under weak memory steps are ordered by which write each read reads.
export const isWeak = (execution: Execution) => execution.steps.some((s) => s.choices?.some((c) => c.possible));

function writesRead(step: Step): number[] {
  if (step.accesses[0]?.mode === "write") return [];
  return (step.choices ?? []).flatMap((c) => (c.possible ?? []).flatMap((p) => (p.option === c.taken && p.step !== undefined ? [p.step] : [])));
}

const SENDING = /^(?:connect|write|send from|arrive at|close|shutdown|end) ?/;
const ARRIVING = /^(?:accept|read|poll|arrive at|does not arrive at) /;

// Between nodes of a cluster, which share nothing but the network: from what is sent to the step that notices it first.
function networkArrows(execution: Execution): Arrow[] {
  return execution.steps.flatMap((step, to) => {
    const node = nodeOf(execution, step.agent);
    if (node === undefined || isDatagram(execution, step.agent) || !ARRIVING.test(step.text)) return [];
    const wire = isWire(execution, step.agent);
    const leadsHere = (agent: number) => (wire ? !isOfNetwork(execution, agent) : isOfNetwork(execution, agent) || nodeOf(execution, agent) !== node);
    return (step.after ?? []).filter((from) => SENDING.test(execution.steps[from]!.text) && leadsHere(execution.steps[from]!.agent))
      .map((from) => ({ from, to, kind: "message" as const }));
  });
}

// From the end of a thread to the step that joins it.
function joinArrows(execution: Execution): Arrow[] {
  return execution.steps.flatMap((step, to) =>
    /^(?:try|timed )?join /.test(step.text) ? (step.after ?? []).filter((from) => execution.steps[from]!.agent !== step.agent).map((from) => ({ from, to, kind: "join" as const })) : []);
}

const LOCKING = /^(?:timed |try)?(un)?(?:rd|wr|rw)?lock (\S+)/;

// From the step that unlocks to the one of another thread that takes the lock next.
function lockArrows(execution: Execution): Arrow[] {
  const arrows: Arrow[] = [];
  const freed = new Map<string, number>();
  execution.steps.forEach((step, to) => {
    const said = LOCKING.exec(step.text);
    if (!said) return;
    const from = freed.get(said[2]!);
    if (said[1]) freed.set(said[2]!, to);
    else if (from !== undefined && execution.steps[from]!.agent !== step.agent) arrows.push({ from, to, kind: "lock" });
  });
  return arrows;
}

// The lanes that are part of the deadlock at the end.
export function deadlockedLanes(execution: Execution, lanes: Lanes): Set<number> {
  const finding = execution.findings.find((f) => f.kind === "deadlock");
  return new Set((finding?.agents ?? []).map((agent) => lanes.laneOf[agent]!));
}

// Is it a step of a task that takes part in the deadlock at the end? Threads have lanes of their own, which are framed.
export function isResponsible(execution: Execution, i: number): boolean {
  const finding = execution.findings.find((f) => f.kind === "deadlock");
  return execution.sequence !== undefined && finding !== undefined && finding.agents.includes(execution.steps[i]!.agent);
}

const withoutPath = (task: string) => task.replace(/^[\d.]+:/, "");

// A branch says what the inputs satisfy.
function textOf(step: Step): string {
  const condition = step.text === "branch" ? step.choices?.[0]?.condition : undefined;
  return condition ? `branch: ${condition}` : step.text;
}

// What became of the task of a step of a model.
export const fates: Record<string, { sign: string; kind: string }> = {
  returned: { sign: "✓", kind: "returned" },
  waiting: { sign: "◷", kind: "waiting" },
  blocked: { sign: "■", kind: "blocked" },
  failed: { sign: "✗", kind: "failed" },
  stopped: { sign: "◌", kind: "stopped" },
};

// What a step does, in the words of its kind of program: "lock m"; "register waiting at line 4 for ping; n = 1".
export function stepText(execution: Execution, i: number): string {
  const s = execution.sequence?.[i];
  if (!s) return textOf(execution.steps[i]!);
  if (s.clock !== undefined) return `◷ it is ${s.clock}`;
  const where = s.end_line ? ` at line ${s.end_line}` : "";
  return `${withoutPath(s.task)} ${s.then}${where}${s.awaits ? ` for ${withoutPath(s.awaits)}` : ""}${s.changes ? `; ${s.changes}` : ""}`;
}

function fromNode(execution: Execution, i: number): string {
  const node = nodeOf(execution, execution.steps[i]!.agent);
  return node === undefined ? "" : `from ${node}: `;
}

// The same in its lane, whose head says already who takes the step: "receives Note(1)", "poll socket 3".
export function boxText(execution: Execution, lanes: Lanes, i: number): string {
  const text = stepText(execution, i);
  const lane = lanes.lanes[lanes.laneOf[execution.steps[i]!.agent]!];
  if (!lane || execution.sequence) return text;
  if (isDatagram(execution, execution.steps[i]!.agent)) return fromNode(execution, i) + text;
  const own = text.startsWith(lane.name + " ") ? text.slice(lane.name.length + 1) : text;
  return lane.node === undefined ? own : own.replaceAll(` of ${lane.node}`, "");
}

export interface Holding {
  lock: string;
  agent: number;
}

export interface StateAt {
  values: { name: string; value: string; changed: boolean }[];
  locks: Holding[];
}

// Values and locks after the first `count` steps; what the last of them changed is marked.
export function stateAt(execution: Execution, count: number): StateAt {
  return execution.sequence ? fieldsAt(execution, count) : memoryAt(execution, count);
}

// The names of C programs: "lock m", "unlock m"; a lock's value says who owns it and is not shown.
function memoryAt(execution: Execution, count: number): StateAt {
  const values = new Map<number, { value: string; at: number }>();
  const locks = new Map<string, number>();
  const lockNames = new Set<string>();
  execution.steps.slice(0, count).forEach((step, i) => {
    const said = LOCKING.exec(step.text);
    if (said) {
      lockNames.add(said[2]!);
      if (said[1]) locks.delete(said[2]!);
      else locks.set(said[2]!, step.agent);
    }
    for (const access of step.accesses) values.set(access.resource, { value: access.after, at: i });
  });
  const shown = [...values]
    .map(([resource, { value, at }]) => ({ name: execution.resources[resource]!, value, changed: at === count - 1 }))
    .filter(({ name }) => /^[\w.*&[\]>#-]+$/.test(name) && !lockNames.has(name))
    .sort((a, b) => a.name.localeCompare(b.name));
  return { values: shown, locks: [...locks].map(([lock, agent]) => ({ lock, agent })) };
}

// "x = 3; name = \"a; b\"": what is inside quotes does not separate.
export function splitChanges(text: string): [string, string][] {
  const parts = text.match(/(?:"(?:[^"\\]|\\.)*"|[^;"])+/g) ?? [];
  return parts
    .map((p) => p.trim().split(" = "))
    .filter((p) => p.length >= 2)
    .map((p) => [p[0]!, p.slice(1).join(" = ")]);
}

function fieldsAt(execution: Execution, count: number): StateAt {
  const values = new Map<string, { value: string; at: number }>();
  execution.sequence!.slice(0, count).forEach((step, i) => {
    for (const [field, value] of splitChanges(step.changes ?? "")) values.set(`${step.object}.${field}`, { value, at: i });
  });
  const shown = [...values].map(([name, { value, at }]) => ({ name, value, changed: at === count - 1 }));
  return { values: shown.sort((a, b) => a.name.localeCompare(b.name)), locks: [] };
}

// The first step at which two executions differ; their common length if one goes on where the other ends.
export function partingStep(a: Execution, b: Execution): number {
  const length = Math.min(a.steps.length, b.steps.length);
  for (let i = 0; i < length; i++) {
    const x = a.steps[i]!;
    const y = b.steps[i]!;
    if (a.agents[x.agent]!.path !== b.agents[y.agent]!.path || x.text !== y.text) return i;
  }
  return length;
}

// Under weak memory steps have no edges, although some of different agents access the same.
function orderIsKnown(execution: Execution): boolean {
  if (execution.steps.some((s) => s.after)) return true;
  const agentOf = new Map<number, number>();
  return execution.steps.every((s) => s.accesses.every(({ resource }) => {
    const agent = agentOf.get(resource) ?? s.agent;
    agentOf.set(resource, agent);
    return agent === s.agent;
  }));
}

// The steps that the bug depends on: those that happen before the last steps of the agents involved. All of them, if
// there is no bug or the order of steps is not known.
export function relevantSteps(execution: Execution): boolean[] {
  const finding = execution.findings[0];
  const relevant = execution.steps.map(() => false);
  const mail = execution.agents.some((a) => a.receiver !== undefined); // what main sees when all is quiet is no edge
  if (!finding || finding.agents.length === 0 || mail || !orderIsKnown(execution)) return relevant.map(() => true);
  const creation = new Map<number, number>();
  execution.steps.forEach((s, i) => s.creates?.forEach((c) => creation.set(c, i)));
  const seen = new Set<number>(finding.agents);
  for (let i = execution.steps.length - 1; i >= 0; i--) {
    const step = execution.steps[i]!;
    if (seen.has(step.agent)) relevant[i] = true;
    if (!relevant[i]) continue;
    seen.add(step.agent);
    step.after?.forEach((j) => (relevant[j] = true));
    const born = creation.get(step.agent);
    if (born !== undefined) relevant[born] = true;
  }
  return relevant;
}

// What the inputs satisfy, in the order in which it was decided up to a step.
export function pathCondition(execution: Execution, count: number): string[] {
  return execution.steps.slice(0, count).flatMap((s) => (s.choices ?? []).flatMap((c) => (c.condition ? [c.condition] : [])));
}
