// What tests of `sennit generate` give and how they went. Nothing here draws.
import type { Shown, TestCase } from "./types.ts";

export interface SuiteLine {
  state: "passed" | "failed" | "skipped";
  why: string;
  file: string;
}

const STATES: Record<string, SuiteLine["state"]> = { ok: "passed", FAILED: "failed", BROKEN: "failed", skip: "skipped" };

// "ok  Account_1.withdraw 1  (FILE)", and lines below it that say why it failed: by the number of the test.
export function suiteLines(output: string): Map<number, SuiteLine> {
  const found = new Map<number, SuiteLine>();
  let current: SuiteLine | undefined;
  for (const line of output.split("\n")) {
    const test = /^(ok|FAILED|BROKEN|skip)\s+.* (\d+)  \((.*)\)$/.exec(line);
    if (test) found.set(Number(test[2]), (current = { state: STATES[test[1]!]!, why: "", file: test[3]! }));
    else if (current && /^\s+\S/.test(line)) current.why += (current.why ? "; " : "") + line.trim();
  }
  return found;
}

// What a test gives: the fields and arguments that its path asks for, as values of the model; "_" marks the others.
export function valuesOf(test: TestCase): string[] {
  const nameOf = new Map(test.objects.map((o) => [o.variable, o.path ?? o.variable]));
  const given = (name: string, value: Shown | undefined) => (value && value.shown !== "_" ? [`${name} = ${value.value}`] : []);
  const fields = test.objects.flatMap((o) => o.fields.flatMap((f) => given(`${nameOf.get(o.variable)}.${f.name}`, f.before)));
  const calls = test.tasks.flatMap((t) => t.arguments.flatMap((a) => given(`${nameOf.get(t.object) ?? t.object}.${t.method}.${a.name}`, a.before)));
  return [...fields, ...calls];
}

export interface PrintedTest {
  number: number;
  outcome: string;
  values: string[];
  result: string;
}

// "test 3: ok  head 0  count 4  => 0", as `generate` prints tests of C functions.
export function printedTests(printed: string): { tests: PrintedTest[]; file?: string } {
  const tests: PrintedTest[] = [];
  for (const [, number, rest] of printed.matchAll(/^test (\d+): (.*)$/gm)) {
    const [outcome, ...parts] = rest!.split("  ");
    const result = parts.find((p) => p.startsWith("=> "))?.slice(3) ?? "";
    tests.push({ number: Number(number), outcome: outcome!, values: parts.filter((p) => p && !p.startsWith("=> ")).map((p) => p.replace(/ (?=\S+$)/, " = ")), result });
  }
  const file = /^(?:\S*\/)?(\S+_tests\.c) contains/m.exec(printed)?.[1];
  return { tests, file };
}
