// Numbers in sentences, and bugs in their order.
import type { Bug, Stats } from "./types.ts";

// "1 execution", "1,000 executions".
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

// "950", "12 k", "3.54 M": the order of magnitude of a large number.
export function short(n: number): string {
  if (n < 1e4) return Math.round(n).toLocaleString("en");
  if (n < 1e6) return `${Math.round(n / 1e3)} k`;
  if (n < 1e12) return n < 1e9 ? `${(n / 1e6).toPrecision(3)} M` : `${(n / 1e9).toPrecision(3)} G`;
  return `10^${Math.round(Math.log10(n))}`;
}

// What a search has done so far, and how much there may be.
export function progressWords(s: Stats): string {
  const rate = s.seconds > 0 ? s.executions / s.seconds : 0;
  const words = [`${counted(s.executions, "execution")}, ${short(rate)}/s, ${counted(s.workers, "worker")}, ${counted(s.bugs, "bug")}`];
  if (s.estimate > s.executions)
    words.push(`about ${short(s.estimate)} in all (between ${short(Math.max(s.estimate_low, s.executions))} and ${short(s.estimate_high)})`);
  return words.join("; ");
}

// Bugs, each with those that its executions showed only after it: what comes first may be the cause.
export function bugsByCause(bugs: Bug[]): { bug: Bug; effects: Bug[] }[] {
  const groups = new Map(bugs.map((bug) => [`${bug.kind}-${bug.id}`, { bug, effects: [] as Bug[] }]));
  const causeOf = (bug: Bug) => bug.after?.find((name) => groups.has(name) && !groups.get(name)!.bug.after?.length);
  for (const bug of bugs) {
    const cause = causeOf(bug);
    if (cause) groups.get(cause)!.effects.push(bug);
  }
  return [...groups.values()].filter(({ bug }) => !causeOf(bug));
}
