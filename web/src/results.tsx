// The result of a run: verdict, bugs, executions.
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Bug, Critical, Execution, ExecutionTree, Finding, GenerateResult, Party, Place, RunResult } from "./types.ts";
import { SourceView, StateView, WhatIf } from "./execution.tsx";
import { LaneView } from "./laneview.tsx";
import { Cycles, Graph } from "./cycles.tsx";
import { diagramSvg, saveDiagram } from "./diagram.ts";
import { waitEdges } from "./graph.ts";
import { endRows, isWeak, partingStep, pathCondition } from "./lanes.ts";
import { States } from "./states.tsx";
import { PrintedTests, Tests, type PrintedSource, type SuiteSource } from "./tests.tsx";
import { TreeView } from "./tree.tsx";
import { bugsByCause, counted } from "./words.ts";

// Where executions come from: the server, or the data of a report.
export interface Executions {
  names: string[];
  read(name: string): Promise<Execution>;
  tree(): Promise<ExecutionTree>;
  whatIf?(name: string, instead: string): Promise<{ name: string; execution: Execution }>;
  critical?(name: string): Promise<{ critical: Critical; passing: string | null }>;
}

const place = (p: Place) => (p.file ? `${p.file.split("/").pop()}:${p.line}` : "?");

const MOST_UNCOVERED = 50;

function Covered({ run: { coverage } }: { run: RunResult }) {
  if (!coverage || coverage.lines === 0) return null;
  const branches = coverage.branches ? `, ${coverage.branches_hit} of ${counted(coverage.branches, "outcome")} of branches` : "";
  const words = `executed ${coverage.lines_hit} of ${counted(coverage.lines, "line")}${branches}`;
  if (coverage.uncovered.length === 0) return <p class="bounds">{words}</p>;
  return (
    <details class="bounds">
      <summary>{words}</summary>
      <ul>{coverage.uncovered.slice(0, MOST_UNCOVERED).map((u) => <li>{place({ file: u.file ?? undefined, line: u.line })}{u.function && ` in ${u.function}`}: an outcome is never taken</li>)}</ul>
    </details>
  );
}

export function Verdict({ run }: { run: RunResult }) {
  const kind = run.bugs.length ? "bug" : run.exit_code === 0 ? "good" : "open";
  const sign = { bug: "✗", good: "✓", open: "◌" }[kind];
  const bounds = run.bounds.filter((b) => b.name !== "interrupted" && (b.name !== "first-bug" || b.hits > 0)); // the sentence says it
  return (
    <section class={"verdict " + kind} aria-label="verdict">
      <p class="sentence"><span class="sign">{sign}</span> {run.sentence}.</p>
      {run.note && <p>{run.note}</p>}
      <p class="figures">
        {counted(run.executions, "execution")}, {run.redundant.toLocaleString("en")} redundant; up to {counted(run.depth, "step")};
        {" "}{run.cpu_seconds < 0.1 ? `${Math.round(run.cpu_seconds * 1000)} ms` : `${run.cpu_seconds.toFixed(1)} s`} CPU,
        {" "}{(run.peak_kb / 1024).toFixed(1)} MB{run.memory ? `; memory model ${run.memory}` : ""}
      </p>
      {bounds.length > 0 && <p class="bounds">bounds: {bounds.map((b) => `${b.name}${b.limit ? ` ${b.limit}` : ""} (met ${counted(b.hits, "time")})`).join(", ")}</p>}
      <Covered run={run} />
      {run.unseen.length > 0 && <p class="bounds">not seen: {run.unseen.map((u) => `${u.name} (${place(u)})`).join(", ")}</p>}
    </section>
  );
}

// What a thread of a deadlock waits for and who holds it, or what a task is kept from.
function Wait({ party: p }: { party: Party }) {
  if (!p.locks) return <li><b>{p.thread}</b> {p.action} at {place(p.place)}</li>;
  return (
    <li>
      <b>{p.thread}</b> waits for <b>{p.waits_for}</b> at {place(p.place)}
      {p.owner && <>, held by <b>{p.owner}</b></>}
      {p.locks.length > 0 && <>; holds {p.locks.map((l) => `${l.name} (since ${place(l)})`).join(", ")}</>}
    </li>
  );
}

function Waits({ bug }: { bug: Bug }) {
  const parties = bug.threads.filter((p) => p.waits_for);
  if (parties.length < 2) return null;
  const edges = waitEdges(parties);
  return (
    <div class="cycle-body">
      {edges.length > 0 && <Graph edges={edges} label="who waits for whom" />}
      <ul class="waits" aria-label="who waits for whom">{parties.map((p) => <Wait party={p} />)}</ul>
    </div>
  );
}

export function BugView({ bug, onOpen }: { bug: Bug; onOpen(): void }) {
  return (
    <article class="bug">
      <h3><button onClick={onOpen}>{bug.kind}-{bug.id}</button> {bug.summary}</h3>
      {!bug.confirmed && <p class="bounds">not confirmed: {bug.doubt}</p>}
      <Waits bug={bug} />
      {bug.explanation?.map((words) => <p class="explanation">{words}</p>)}
      {bug.threads.length > 0 && (
        <details>
          <summary>{counted(bug.threads.length, "stack")}, {counted(bug.step_count, "step")}, {counted(bug.preemptions, "preemption")}</summary>
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

// The last step, or behind it what fails.
function lastShown(execution: Execution): number {
  const fails = endRows(execution).some((row) => row.kind === "fails");
  return Math.max(0, execution.steps.length - (fails ? 0 : 1));
}

// "step 2, 0.1: lock m" with the name of the agent.
const withNames = (sentence: string, execution: Execution) =>
  sentence.replace(/, ([\d.]+): /, (said, path) => { const agent = execution.agents.find((a) => a.path === path); return agent ? `, ${agent.name}: ` : said; });

// What the agents of a bug do is known of the bugs of the run. An execution may show several: that of its name is first.
function withActions(name: string, execution: Execution, bugs: Bug[]): Execution {
  const isOwn = (f: Finding) => name === `bugs/${f.kind}-${f.id}`;
  const findings = execution.findings.map((f) => {
    const bug = bugs.find((b) => b.kind === f.kind && b.id === f.id);
    return bug?.threads.length === f.agents.length ? { ...f, actions: bug.threads.map((t) => t.action) } : f;
  });
  return { ...execution, findings: [...findings.filter(isOwn), ...findings.filter((f) => !isOwn(f))] };
}

function Pane({ shown, other, order, critical, whatIf, onClose, onProblem }: {
  shown: Shown; other?: Shown; order: boolean; critical?: number; whatIf?(instead: string): void; onClose?(): void; onProblem(problem: string): void;
}) {
  const parts = useMemo(() => (other ? partingStep(shown.execution, other.execution) : undefined), [shown, other]);
  const [step, setStep] = useState(0);
  useEffect(() => setStep(parts ?? lastShown(shown.execution)), [shown, parts]);
  const finding = shown.execution.findings[0];
  const save = (kind: "svg" | "png") => {
    if (!saveDiagram(shown.name, diagramSvg(shown.execution, { order, critical }), kind)) onProblem("This execution is too long for a PNG; save it as SVG.");
  };
  return (
    <div class="pane">
      <div class="pane-head">
        <b title={shown.name}>{shown.name}</b>
        <span class={finding ? "outcome bug" : "outcome good"}>{finding ? `✗ ${finding.kind}` : shown.execution.end === "cut" ? "◌ cut" : "✓ no bug"}</span>
        <span class="spacer" />
        <button title="step back (↑)" aria-label="step back" onClick={() => setStep(Math.max(0, step - 1))}>▲</button>
        <button title="step forward (↓)" aria-label="step forward" onClick={() => setStep(Math.min(shown.execution.steps.length + endRows(shown.execution).length - 1, step + 1))}>▼</button>
        <button title="save as SVG" onClick={() => save("svg")}>SVG</button>
        <button title="save as PNG" onClick={() => save("png")}>PNG</button>
        {onClose && <button aria-label="close" onClick={onClose}>✕</button>}
      </div>
      {finding && !shown.name.startsWith("bugs/") && <p class="summary">{finding.summary}</p>}
      <div class="pane-body">
        <LaneView execution={shown.execution} step={step} onStep={setStep} parts={parts} critical={critical} order={order} />
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

export function ExecutionPanel({ executions, wanted, bugs }: { executions: Executions; wanted: string[]; bugs: Bug[] }) {
  const [shown, setShown] = useState<Shown[]>([]);
  const [order, setOrder] = useState(false);
  const [problem, setProblem] = useState("");
  const [critical, setCritical] = useState<{ of: string; said: Critical; passing: string | null }>();
  const [searching, setSearching] = useState(false);
  const fail = (e: Error) => { setProblem(e.message); setSearching(false); };
  const open = (names: string[]) =>
    Promise.all(names.map((name) => executions.read(name).then((execution) => ({ name, execution: withActions(name, execution, bugs) })))).then((all) => { setShown(all); setProblem(""); }, fail);
  useEffect(() => {
    const names = wanted.length ? wanted : executions.names.slice(0, 1);
    if (names.length) void open(names);
  }, [executions, wanted]);
  const whatIf = executions.whatIf && ((instead: string) => {
    const base = shown[shown.length - 1]!;
    executions.whatIf!(base.name, instead).then((other) => { setShown([base, { ...other, execution: withActions(other.name, other.execution, bugs) }]); setProblem(""); }, fail);
  });
  const findCritical = () => {
    const of = shown[0]!.name;
    setSearching(true);
    executions.critical!(of).then(({ critical: said, passing }) => { setCritical({ of, said, passing }); setSearching(false); setProblem(""); }, fail);
  };
  const compare = () => critical?.passing && open([critical.of, critical.passing]);
  if (executions.names.length === 0 && shown.length === 0)
    return <p class="dim">This run kept no executions.</p>;
  const fails = shown[0] && shown[0].execution.findings.length > 0;
  const known = critical && critical.of === shown[0]?.name ? critical : undefined;
  return (
    <section class="executions" aria-label="executions">
      <div class="bar">
        <label>execution{" "}
          <select value={shown[0]?.name} onChange={(e) => void open([e.currentTarget.value])}>
            {executions.names.map((name) => <option value={name}>{name}</option>)}
          </select>
        </label>
        <label><input type="checkbox" checked={order} onChange={(e) => setOrder(e.currentTarget.checked)} /> {shown[0] && isWeak(shown[0].execution) ? "reads-from" : "happens-before"}</label>
        {fails && executions.critical && !known && <button class="find-critical" disabled={searching} onClick={findCritical}>{searching ? "◷ searching" : "⚠ Critical step"}</button>}
        {known?.passing && shown.length === 1 && <button class="compare" onClick={() => void compare()}>Compare with the nearest that passes</button>}
        {shown.length === 2 && <span class="dim">they part at step {partingStep(shown[0]!.execution, shown[1]!.execution) + 1}</span>}
      </div>
      {known && <p class="critical-says" role="status">⚠ critical step: {withNames(known.said.sentence, shown[0]!.execution)} <span class="dim">({counted(known.said.executions, "execution")})</span></p>}
      {problem && <p class="problem" role="alert">{problem}</p>}
      <div class={"panes n" + shown.length}>
        {shown.map((s, i) => (
          <Pane key={s.name} shown={s} other={shown.length === 2 ? shown[1 - i] : undefined} order={order}
            critical={known?.said.found && known.said.fails > 0 && s.name === known.of ? known.said.fails - 1 : undefined}
            whatIf={i === shown.length - 1 ? whatIf : undefined} onProblem={setProblem}
            onClose={shown.length === 2 ? () => setShown([shown[1 - i]!]) : undefined} />
        ))}
      </div>
    </section>
  );
}

// ---- All of it ---------------------------------------------------------------------------------

function Tree({ executions, onOpen }: { executions: Executions; onOpen(name: string): void }) {
  const [tree, setTree] = useState<ExecutionTree>();
  const [problem, setProblem] = useState("");
  useEffect(() => void executions.tree().then(setTree, (e) => setProblem(e.message)), [executions]);
  if (problem) return <p class="problem" role="alert">{problem}</p>;
  return tree ? <TreeView tree={tree} onOpen={onOpen} /> : <p class="dim">reading …</p>;
}

type View = "tests" | "cycles" | "execution" | "tree" | "states";

function viewsOf(run: RunResult, tests: boolean): View[] {
  const views: [View, boolean][] = [["tests", tests], ["cycles", !!run.cycles], ["execution", true], ["tree", true], ["states", !!run.final_states]];
  return views.flatMap(([view, there]) => (there ? [view] : []));
}

const nameOfTest = (number: number) => `test${String(number).padStart(6, "0")}`;
const wholeCondition = (execution: Execution) => pathCondition(execution, execution.steps.length);

export function Results({ run, executions, tests, plot }: {
  run: RunResult; executions: Executions; tests?: Omit<PrintedSource, "open" | "condition">; plot?: ComponentChildren;
}) {
  const views = viewsOf(run, !!tests);
  const [wanted, setWanted] = useState<string[]>([]);
  const [view, setView] = useState<View>(views[0]!);
  const open = (...names: string[]) => { setWanted(names); setView("execution"); };
  return (
    <div class="results">
      <Verdict run={run} />
      {plot}
      {bugsByCause(run.bugs).map(({ bug, effects }) => (
        <>
          <BugView bug={bug} onOpen={() => open(bug.trace.replace(/\.trace$/, ""))} />
          {effects.length > 0 && (
            <details class="effects" open>
              <summary>after it, in the same {effects.length === 1 ? "execution" : "executions"}: perhaps an effect</summary>
              {effects.map((effect) => <BugView bug={effect} onOpen={() => open(effect.trace.replace(/\.trace$/, ""))} />)}
            </details>
          )}
        </>
      ))}
      <div class="tabs views" role="tablist" aria-label="views">
        {views.map((v) => <button role="tab" aria-selected={v === view} onClick={() => setView(v)}>{v}</button>)}
      </div>
      {view === "tests" && tests && <PrintedTests source={{ ...tests, open: (number) => open(nameOfTest(number)), condition: (number) => executions.read(nameOfTest(number)).then(wholeCondition) }} />}
      {view === "execution" && <ExecutionPanel executions={executions} wanted={wanted} bugs={run.bugs} />}
      {view === "tree" && <Tree executions={executions} onOpen={(name) => open(name)} />}
      {view === "states" && <States states={run.final_states!} total={run.final_state_count ?? run.final_states!.length} onOpen={(names) => open(...names)} />}
      {view === "cycles" && <Cycles cycles={run.cycles!} orders={run.lock_orders} onOpen={(trace) => open(trace.replace(/\.trace$/, ""))} />}
    </div>
  );
}

export function GenerateResults({ run, source }: { run: GenerateResult; source?: SuiteSource }) {
  const cuts = Object.entries(run.cuts).filter(([, n]) => n > 0).map(([name, n]) => `${name} (${n} times)`);
  return (
    <div class="results">
      <section class={"verdict " + (run.complete ? "good" : "open")} aria-label="verdict">
        <p class="sentence"><span class="sign">{run.complete ? "✓" : "◌"}</span> {run.sentence}.</p>
        <p class="figures">{counted(run.executions, "execution")}; covered {run.coverage.outcomes} of {run.coverage.all_outcomes} decision outcomes, {run.coverage.statements} of {run.coverage.all_statements} statements</p>
        {cuts.length > 0 && <p class="bounds">cut by bounds: {cuts.join(", ")}</p>}
      </section>
      {source && <Tests source={source} />}
    </div>
  );
}
