// The result of a run: verdict, bugs, executions.
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Bug, Execution, Place, RunResult } from "./types.ts";
import { LaneView, SourceView, StateView, WhatIf } from "./execution.tsx";
import { partingStep } from "./lanes.ts";

// Where executions come from: the server, or the data of a report.
export interface Executions {
  names: string[];
  read(name: string): Promise<Execution>;
  whatIf?(name: string, instead: string): Promise<{ name: string; execution: Execution }>;
}

const place = (p: Place) => (p.file ? `${p.file.split("/").pop()}:${p.line}` : "?");

export function Verdict({ run }: { run: RunResult }) {
  const kind = run.bugs.length ? "bug" : run.exit_code === 0 ? "good" : "open";
  const sign = { bug: "✗", good: "✓", open: "◌" }[kind];
  return (
    <section class={"verdict " + kind} aria-label="verdict">
      <p class="sentence"><span class="sign">{sign}</span> {run.sentence}.</p>
      {run.note && <p>{run.note}</p>}
      <p class="figures">
        {run.executions.toLocaleString("en")} executions, {run.redundant.toLocaleString("en")} redundant; up to {run.depth} steps;
        {" "}{run.cpu_seconds < 0.1 ? `${Math.round(run.cpu_seconds * 1000)} ms` : `${run.cpu_seconds.toFixed(1)} s`} CPU,
        {" "}{(run.peak_kb / 1024).toFixed(1)} MB{run.memory ? `; memory model ${run.memory}` : ""}
      </p>
      {run.bounds.length > 0 && <p class="bounds">bounds: {run.bounds.map((b) => `${b.name} ${b.limit} (met ${b.hits} times)`).join(", ")}</p>}
      {run.unseen.length > 0 && <p class="bounds">not seen: {run.unseen.map((u) => `${u.name} (${place(u)})`).join(", ")}</p>}
    </section>
  );
}

// Who waits for whom: a circle of the threads of a deadlock.
function Waits({ bug }: { bug: Bug }) {
  const parties = bug.threads.filter((p) => p.waits_for);
  if (parties.length < 2) return null;
  return (
    <ul class="waits" aria-label="who waits for whom">
      {parties.map((p) => (
        <li>
          <b>{p.thread}</b> waits for <b>{p.waits_for}</b> at {place(p.place)}
          {p.owner && <> — held by <b>{p.owner}</b></>}
          {p.locks && p.locks.length > 0 && <>; holds {p.locks.map((l) => `${l.name} (since ${place(l)})`).join(", ")}</>}
        </li>
      ))}
    </ul>
  );
}

export function BugView({ bug, onOpen }: { bug: Bug; onOpen(): void }) {
  return (
    <article class="bug">
      <h3><button onClick={onOpen}>{bug.kind}-{bug.id}</button> {bug.summary}</h3>
      {!bug.confirmed && <p class="bounds">not confirmed: {bug.doubt}</p>}
      <Waits bug={bug} />
      {bug.threads.length > 0 && (
        <details>
          <summary>{bug.threads.length} {bug.threads.length === 1 ? "stack" : "stacks"}, {bug.step_count} steps, {bug.preemptions} preemptions</summary>
          {bug.threads.map((p) => (
            <div class="stack">
              <b>{p.thread}</b> {p.action} at {place(p.place)} {p.place.function && <>in {p.place.function}</>}
              <ol>{p.stack.map((f) => <li>{f.function} {place(f)}</li>)}</ol>
            </div>
          ))}
        </details>
      )}
    </article>
  );
}

// ---- Executions ------------------------------------------------------------------------------

interface Shown {
  name: string;
  execution: Execution;
}

function Pane({ shown, other, order, whatIf, onClose }: {
  shown: Shown; other?: Shown; order: boolean; whatIf?(instead: string): void; onClose?(): void;
}) {
  const parts = useMemo(() => (other ? partingStep(shown.execution, other.execution) : undefined), [shown, other]);
  const [step, setStep] = useState(0);
  useEffect(() => setStep(parts ?? Math.max(0, shown.execution.steps.length - 1)), [shown, parts]);
  const finding = shown.execution.findings[0];
  return (
    <div class="pane">
      <div class="pane-head">
        <b>{shown.name}</b>
        <span class={finding ? "outcome bug" : "outcome good"}>{finding ? `✗ ${finding.kind}` : shown.execution.end === "cut" ? "◌ cut" : "✓ no bug"}</span>
        <span class="spacer" />
        <button title="step back (↑)" aria-label="step back" onClick={() => setStep(Math.max(0, step - 1))}>▲</button>
        <button title="step forward (↓)" aria-label="step forward" onClick={() => setStep(Math.min(shown.execution.steps.length + shown.execution.blocked.length - 1, step + 1))}>▼</button>
        <button title="save as SVG" onClick={() => saveSvg(shown)}>SVG</button>
        {onClose && <button aria-label="close" onClick={onClose}>✕</button>}
      </div>
      {finding && <p class="summary">{finding.summary}</p>}
      <div class="pane-body">
        <LaneView execution={shown.execution} step={step} onStep={setStep} parts={parts} order={order} />
        <div class="pane-side">
          <SourceView execution={shown.execution} step={step} onStep={setStep} />
          <div class="pane-low">
            <StateView execution={shown.execution} step={step} />
            {whatIf && <WhatIf execution={shown.execution} step={step} onInstead={whatIf} />}
          </div>
        </div>
      </div>
    </div>
  );
}

function saveSvg(shown: Shown) {
  const { execution } = shown;
  const escape = (t: string) => t.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const names = [...new Set(execution.steps.map((s) => execution.agents[s.agent]!.owner ?? execution.agents[s.agent]!.name))];
  const width = 240;
  const rows = execution.steps.map((s, i) => {
    const lane = names.indexOf(execution.agents[s.agent]!.owner ?? execution.agents[s.agent]!.name);
    return `<rect x="${40 + lane * width}" y="${30 + i * 26}" width="${width - 10}" height="22" rx="4" fill="#eef" stroke="#88a"/>` +
      `<text x="${46 + lane * width}" y="${45 + i * 26}">${escape(s.text)}</text><text x="4" y="${45 + i * 26}">${i + 1}</text>`;
  });
  const heads = names.map((n, i) => `<text x="${46 + i * width}" y="18" font-weight="bold">${escape(n)}</text>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${50 + names.length * width}" height="${40 + rows.length * 26}" font-family="sans-serif" font-size="12">${heads.join("")}${rows.join("")}</svg>`;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  link.download = shown.name.replaceAll("/", "-") + ".svg";
  link.click();
  URL.revokeObjectURL(link.href);
}

export function ExecutionPanel({ executions, first }: { executions: Executions; first?: string }) {
  const [shown, setShown] = useState<Shown[]>([]);
  const [order, setOrder] = useState(false);
  const [problem, setProblem] = useState("");
  const open = (name: string) =>
    executions.read(name).then((execution) => { setShown([{ name, execution }]); setProblem(""); }, (e) => setProblem(String(e.message)));
  useEffect(() => {
    const name = first ?? executions.names[0];
    if (name) open(name);
  }, [executions, first]);
  const whatIf = executions.whatIf && ((instead: string) => {
    const base = shown[shown.length - 1]!;
    executions.whatIf!(base.name, instead).then((other) => { setShown([base, other]); setProblem(""); }, (e) => setProblem(String(e.message)));
  });
  if (executions.names.length === 0 && shown.length === 0)
    return <p class="dim">This run kept no executions: it has no bug, and for C programs only <code>--tests</code> keeps others.</p>;
  return (
    <section class="executions" aria-label="executions">
      <div class="bar">
        <label>execution{" "}
          <select value={shown[0]?.name} onChange={(e) => open(e.currentTarget.value)}>
            {executions.names.map((name) => <option value={name}>{name}</option>)}
          </select>
        </label>
        <label><input type="checkbox" checked={order} onChange={(e) => setOrder(e.currentTarget.checked)} /> happens-before</label>
        {shown.length === 2 && <span class="dim">they part at step {partingStep(shown[0]!.execution, shown[1]!.execution) + 1}</span>}
      </div>
      {problem && <p class="problem" role="alert">{problem}</p>}
      <div class={"panes n" + shown.length}>
        {shown.map((s, i) => (
          <Pane key={s.name} shown={s} other={shown.length === 2 ? shown[1 - i] : undefined} order={order}
            whatIf={i === shown.length - 1 ? whatIf : undefined}
            onClose={shown.length === 2 ? () => setShown([shown[1 - i]!]) : undefined} />
        ))}
      </div>
    </section>
  );
}

export function Results({ run, executions }: { run: RunResult; executions: Executions }) {
  const [first, setFirst] = useState<string | undefined>();
  const open = (bug: Bug) => setFirst(bug.trace.replace(/\.trace$/, ""));
  return (
    <div class="results">
      <Verdict run={run} />
      {run.bugs.map((bug) => <BugView bug={bug} onOpen={() => open(bug)} />)}
      <ExecutionPanel executions={executions} first={first} />
    </div>
  );
}
