// What waits at a point of an execution: messages for actors, tasks of objects. Nothing here draws.
import type { Execution } from "./types.ts";

export interface Queue {
  holder: string; // an actor or an object
  items: string[];
}

// After the first `count` steps: messages that were sent and not yet received, tasks that were called and have not
// returned, in the order in which they came to be.
export function queuesAt(execution: Execution, count: number): Queue[] {
  const created = new Map<number, number>();
  const last = new Map<number, number>();
  execution.steps.forEach((s, i) => {
    s.creates?.forEach((agent) => created.set(agent, i));
    if (i < count) last.set(s.agent, i);
  });
  const queues = new Map<string, string[]>();
  execution.agents.forEach((agent, number) => {
    if ((created.get(number) ?? -1) >= count) return;
    const item = agent.receiver !== undefined ? mailOf(execution, number, last) : agent.owner !== undefined ? taskOf(execution, number, last) : undefined;
    if (!item) return;
    const holder = agent.receiver !== undefined ? execution.agents[agent.receiver]?.name ?? "?" : agent.owner!;
    queues.set(holder, [...(queues.get(holder) ?? []), item]);
  });
  return [...queues].map(([holder, items]) => ({ holder, items }));
}

function mailOf(execution: Execution, number: number, last: Map<number, number>): string | undefined {
  return last.has(number) ? undefined : execution.agents[number]!.name;
}

function taskOf(execution: Execution, number: number, last: Map<number, number>): string | undefined {
  const agent = execution.agents[number]!;
  const name = agent.name.replace(`${agent.owner}.`, "");
  const step = last.get(number);
  if (step === undefined) return `${name} (not begun)`;
  const then = execution.sequence?.[step]?.then;
  return then === "waiting" || then === "blocked" ? `${name} (${then})` : undefined;
}
