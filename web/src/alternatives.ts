// What else could have happened at a step: other agents, other outcomes of a branch, other writes, other choices.
import type { Choice, Execution } from "./types.ts";

export interface Alternative {
  words: string;
  instead: string; // as `sennit replay --instead` takes it
}

const MOST_OPTIONS = 12; // of one choice

// "(x < 3)" and "not (x < 3)" are opposites.
export function opposite(condition: string): string {
  return condition.startsWith("not ") ? condition.slice(4) : `not ${condition}`;
}

function wordsOfWrite(execution: Execution, writes: boolean, from: { step?: number; value: string }): string {
  const by = from.step === undefined ? "the initial value" : `written in step ${from.step + 1} by ${execution.agents[execution.steps[from.step]!.agent]!.name}`;
  return writes ? `its write came right after ${from.value}, ${by}` : `it read ${from.value}, ${by}`;
}

function wordsOf(execution: Execution, step: number, choice: Choice): { option: number; words: string }[] {
  if (choice.input) {
    const words = choice.condition ? opposite(choice.condition) : "the inputs decided otherwise";
    return choice.options === 2 ? [{ option: 1 - choice.taken, words }] : [];
  }
  const writes = execution.steps[step]!.accesses[0]?.mode === "write";
  if (choice.possible)
    return choice.possible.filter((p) => p.option !== choice.taken).map((p) => ({ option: p.option, words: wordsOfWrite(execution, writes, p) }));
  return Array.from({ length: choice.options }, (_, option) => option)
    .filter((option) => option !== choice.taken)
    .map((option) => ({ option, words: `choice ${option} of ${choice.options}` }));
}

export function alternativesOf(execution: Execution, step: number): Alternative[] {
  const s = execution.steps[step];
  if (!s) return [];
  const agents = (s.enabled ?? []).filter((a) => a !== s.agent).map((a) => execution.agents[a]!);
  const own = execution.agents[s.agent]!.path;
  return [
    ...agents.map((a) => ({ words: `${a.name} went first`, instead: `${step + 1}:${a.path}` })),
    ...(s.choices ?? []).flatMap((choice, n) =>
      wordsOf(execution, step, choice).slice(0, MOST_OPTIONS).map(({ option, words }) => ({ words, instead: `${step + 1}:${own}/${n + 1}=${option}` }))),
  ];
}
