// Generated tests: condition, values, outcome; run again on the model as it is now; download.
import { useState } from "preact/hooks";
import type { SuiteResult, TestCase, TestSuite } from "./types.ts";
import { suiteLines, valuesOf, type PrintedTest } from "./testvalues.ts";

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

function fields(test: TestCase, when: "before" | "after") {
  return test.objects.map((o) => <div><b>{o.path ?? o.variable}</b> {o.fields.map((f) => `${f.name} = ${f[when].value}`).join(", ")}</div>);
}

export function Tests({ source }: { source: SuiteSource }) {
  const { suite } = source;
  const [result, setResult] = useState<SuiteResult>();
  const [going, setGoing] = useState(false);
  const [open, setOpen] = useState<number>();
  const lines = result && suiteLines(result.output);
  const again = () => {
    setGoing(true);
    source.runAgain!().then((r) => { setResult(r); setGoing(false); }, (e) => { setResult({ exit_code: -1, output: "", messages: String(e.message) }); setGoing(false); });
  };
  const saveAbs = async () => {
    const names = [...lines!.values()].map(({ file }) => file.split("/").pop()!);
    const contents = await Promise.all(names.map((name) => source.file!(name)));
    names.forEach((name, i) => download(name, contents[i]!));
  };
  return (
    <section class="tests" aria-label="tests">
      <div class="bar">
        <b>{suite.tests.length} tests</b> <span class="dim">{suite.methods.join(", ")}</span>
        {source.runAgain && <button class="again" disabled={going} onClick={again}>{going ? "◷ running" : "▶ Run again on the model as it is now"}</button>}
        <button onClick={() => download("tests.json", JSON.stringify(suite, null, 1), "application/json")}>JSON</button>
        {lines && source.file && <button onClick={() => void saveAbs()}>ABS</button>}
        {lines && source.file && <button onClick={() => void source.file!("junit.xml").then((t) => download("junit.xml", t, "application/xml"))}>JUnit</button>}
      </div>
      {result && <p class={"suite-result " + (result.exit_code === 0 ? "good" : "bug")} role="status">{result.output.trim().split("\n").pop() || result.messages}</p>}
      <table class="grid">
        <thead><tr><th>test</th><th>condition</th><th>values</th><th>outcome</th>{lines && <th>now</th>}</tr></thead>
        <tbody>{suite.tests.map((t) => {
          const now = lines?.get(t.number);
          return (
            <>
              <tr class={now ? (now.passed ? "good" : "bug") : ""} onClick={() => setOpen(open === t.number ? undefined : t.number)}>
                <td><button aria-label={`test ${t.number}`} aria-expanded={open === t.number}>{t.number}</button></td>
                <td>{t.constraints.length ? t.constraints.map((c) => <div>{c}</div>) : <span class="dim">always</span>}</td>
                <td>{valuesOf(t).map((v) => <div>{v}</div>)}</td>
                <td>{t.outcome}</td>
                {lines && <td>{now ? (now.passed ? "✓ passes" : `✗ ${now.why}`) : "–"}</td>}
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

// Tests of a C function, as `generate` prints them; they are files of the run.
export function PrintedTests({ tests, file }: { tests: PrintedTest[]; file?: { name: string; read(): Promise<string> } }) {
  return (
    <section class="tests" aria-label="tests">
      <div class="bar">
        <b>{tests.length} tests</b>
        {file && <button onClick={() => void file.read().then((t) => download(file.name, t))}>C</button>}
      </div>
      <table class="grid">
        <thead><tr><th>test</th><th>values</th><th>outcome</th></tr></thead>
        <tbody>{tests.map((t) => (
          <tr><td>{t.number}</td><td>{t.values.map((v) => <div>{v}</div>)}</td><td>{t.outcome}{t.result && `, returns ${t.result}`}</td></tr>))}
        </tbody>
      </table>
    </section>
  );
}
