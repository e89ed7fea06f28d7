// Generated tests: condition, values, outcome; run again on the model as it is now; download.
import { useEffect, useState } from "preact/hooks";
import type { SuiteResult, TestCase, TestSuite } from "./types.ts";
import { suiteLines, valuesOf, type PrintedTest, type SuiteLine } from "./testvalues.ts";
import { counted } from "./words.ts";

export interface SuiteSource {
  suite: TestSuite;
  runAgain?(): Promise<SuiteResult>;
  file?(name: string): Promise<string>;
}

export function download(name: string, content: string, type = "text/plain") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

// ---- Running them again ------------------------------------------------------------------------

interface Again {
  result?: SuiteResult;
  lines?: Map<number, SuiteLine>; // by test
  going: boolean;
  start(): void;
}

function useAgain(runAgain?: () => Promise<SuiteResult>): Again {
  const [result, setResult] = useState<SuiteResult>();
  const [going, setGoing] = useState(false);
  const end = (r: SuiteResult) => {
    setResult(r);
    setGoing(false);
  };
  const start = () => {
    setGoing(true);
    runAgain!().then(end, (e: Error) => end({ exit_code: -1, output: "", messages: e.message }));
  };
  return { result, lines: result && suiteLines(result.output), going, start };
}

const AgainButton = ({ again, what }: { again: Again; what: string }) =>
  <button class="again" disabled={again.going} onClick={again.start} title={`on the ${what} as it is now`}>{again.going ? "◷ running" : "▶ Run again"}</button>;

const lastLine = (text: string) => text.trim().split("\n").pop();

function AgainResult({ again: { result } }: { again: Again }) {
  if (!result) return null;
  return (
    <div class={"suite-result " + (result.exit_code === 0 ? "good" : "bug")} role="status">
      {lastLine(result.output) || lastLine(result.messages)}
      {result.exit_code > 1 && result.messages.includes("\n") && <pre>{result.messages}</pre>}
    </div>
  );
}

const rowKind = (now?: SuiteLine) => (now ? { passed: "good", failed: "bug", skipped: "" }[now.state] : "");

function Now({ now }: { now?: SuiteLine }) {
  if (!now) return <td>–</td>;
  return <td>{now.state === "passed" ? "✓ passes" : now.state === "failed" ? `✗ ${now.why}` : <span class="dim">not run: {now.why}</span>}</td>;
}

const saveJunit = (file: (name: string) => Promise<string>) => void file("junit.xml").then((t) => download("junit.xml", t, "application/xml"));

// ---- Tests of a model -----------------------------------------------------------------------------

function fields(test: TestCase, when: "before" | "after") {
  return test.objects.map((o) => <div><b>{o.path ?? o.variable}</b> {o.fields.map((f) => `${f.name} = ${f[when].value}`).join(", ")}</div>);
}

export function Tests({ source }: { source: SuiteSource }) {
  const { suite } = source;
  const again = useAgain(source.runAgain);
  const { lines } = again;
  const [open, setOpen] = useState<number>();
  const saveAbs = async () => {
    const names = [...lines!.values()].map(({ file }) => file.split("/").pop()!);
    const contents = await Promise.all(names.map((name) => source.file!(name)));
    names.forEach((name, i) => download(name, contents[i]!));
  };
  return (
    <section class="tests" aria-label="tests">
      <div class="bar">
        <b>{counted(suite.tests.length, "test")}</b> <span class="dim">{suite.methods.join(", ")}</span>
        {source.runAgain && <AgainButton again={again} what="model" />}
        <button onClick={() => download("tests.json", JSON.stringify(suite, null, 1), "application/json")}>JSON</button>
        {lines && source.file && <button onClick={() => void saveAbs()}>ABS</button>}
        {lines && source.file && <button onClick={() => saveJunit(source.file!)}>JUnit</button>}
      </div>
      <AgainResult again={again} />
      <table class="grid">
        <thead><tr><th>test</th><th>condition</th><th>values</th><th>outcome</th>{lines && <th>now</th>}</tr></thead>
        <tbody>{suite.tests.map((t) => {
          const now = lines?.get(t.number);
          return (
            <>
              <tr class={rowKind(now)} onClick={() => setOpen(open === t.number ? undefined : t.number)}>
                <td><button aria-label={`test ${t.number}`} aria-expanded={open === t.number}>{t.number}</button></td>
                <td>{t.constraints.length ? t.constraints.map((c) => <div>{c}</div>) : <span class="dim">always</span>}</td>
                <td>{valuesOf(t).map((v) => <div>{v}</div>)}</td>
                <td>{t.outcome}</td>
                {lines && <Now now={now} />}
              </tr>
              {open === t.number && (
                <tr class="test-open"><td colSpan={lines ? 5 : 4}>
                  <div class="columns">
                    <div><h4>before</h4>{fields(t, "before")}</div>
                    <div><h4>after</h4>{fields(t, "after")}</div>
                    <div><h4>calls</h4>{t.tasks.map((c) => <div>{c.object}.{c.method}({c.arguments.map((a) => `${a.name} = ${a.before.value}`).join(", ")}) {c.end}{c.result ? ` ${c.result.value}` : ""}</div>)}</div>
                    <div><h4>trace</h4><ol>{t.schedule.map((s) => <li>{s.name}, line {s.line}</li>)}</ol></div>
                  </div>
                </td></tr>
              )}
            </>
          );
        })}</tbody>
      </table>
    </section>
  );
}

// ---- Tests of a C function --------------------------------------------------------------------------

// As `generate` prints them; they are files of the run.
export interface PrintedSource {
  tests: PrintedTest[];
  fileName?: string; // of the program of tests; there is none if none can be run without Sennit
  file(name: string): Promise<string>;
  runAgain(): Promise<SuiteResult>;
  open(number: number): void; // shows its execution
  condition(number: number): Promise<string[]>; // of its path
}

const MOST_CONDITIONS = 200; // for each a test is replayed

// The path conditions of the tests, one after the other.
function useConditions({ tests, condition }: PrintedSource): Map<number, string[]> {
  const [known, setKnown] = useState<Map<number, string[]>>(new Map());
  useEffect(() => {
    let left = false;
    const read = async (at: number): Promise<void> => {
      if (left || at >= Math.min(tests.length, MOST_CONDITIONS)) return;
      const { number } = tests[at]!;
      const words = await condition(number).catch(() => undefined);
      if (words) setKnown((old) => new Map(old).set(number, words));
      await read(at + 1);
    };
    void read(0);
    return () => { left = true; };
  }, [tests]);
  return known;
}

function Condition({ words }: { words?: string[] }) {
  if (!words) return <td />;
  return <td>{words.length ? words.map((c) => <div><code>{c}</code></div>) : <span class="dim">always</span>}</td>;
}

export function PrintedTests({ source }: { source: PrintedSource }) {
  const { tests, fileName, file } = source;
  const again = useAgain(source.runAgain);
  const { lines } = again;
  const conditions = useConditions(source);
  const json = () => JSON.stringify(tests.map((t) => ({ ...t, condition: conditions.get(t.number) })), null, 1);
  return (
    <section class="tests" aria-label="tests">
      <div class="bar">
        <b>{counted(tests.length, "test")}</b>
        {fileName && <AgainButton again={again} what="program" />}
        <button onClick={() => download("tests.json", json(), "application/json")}>JSON</button>
        {fileName && <button onClick={() => void file(fileName).then((t) => download(fileName, t))}>C</button>}
        {lines && <button onClick={() => saveJunit(file)}>JUnit</button>}
      </div>
      <AgainResult again={again} />
      <table class="grid">
        <thead><tr><th>test</th><th>condition</th><th>values</th><th>outcome</th>{lines && <th>now</th>}</tr></thead>
        <tbody>{tests.map((t) => (
          <tr class={rowKind(lines?.get(t.number))}>
            <td><button aria-label={`test ${t.number}`} title="show its execution" onClick={() => source.open(t.number)}>{t.number}</button></td>
            <Condition words={conditions.get(t.number)} />
            <td>{t.values.map((v) => <div>{v}</div>)}</td>
            <td>{t.outcome}{t.result && `, returns ${t.result}`}</td>
            {lines && <Now now={lines.get(t.number)} />}
          </tr>))}
        </tbody>
      </table>
    </section>
  );
}
