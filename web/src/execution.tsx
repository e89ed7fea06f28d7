// One execution: lanes with a box per step, the source beside it, the state at the selected step, and what else could
// have happened there.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Execution } from "./types.ts";
import { alternativesOf } from "./alternatives.ts";
import { arrowsOf, deadlockedLanes, lanesOf, pathCondition, relevantSteps, shownBlocked, stateAt, stepText, type Lanes } from "./lanes.ts";
import { queuesAt } from "./queues.ts";

const ROW = 26;
const GUTTER = 46;
const MARGIN = 30; // rows drawn beyond what is visible
const BLOCK = 15; // rows that come and go together, so that not every scrolled pixel draws

const px = (n: number) => `${n}px`;

export const fates: Record<string, { sign: string; kind: string }> = {
  returned: { sign: "✓", kind: "returned" },
  waiting: { sign: "◷", kind: "waiting" },
  blocked: { sign: "■", kind: "blocked" },
  failed: { sign: "✗", kind: "failed" },
  stopped: { sign: "◌", kind: "stopped" },
};

interface Props {
  execution: Execution;
  step: number;
  onStep(step: number): void;
  parts?: number; // where it leaves another execution
  critical?: number; // the step after which every continuation fails
  order: boolean;
}

function useVisible(total: number) {
  const box = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState<[number, number]>([0, 60]);
  const look = () => {
    const element = box.current;
    if (!element) return;
    const first = Math.max(0, Math.floor(element.scrollTop / ROW / BLOCK) * BLOCK - MARGIN);
    const end = Math.min(total, Math.ceil((element.scrollTop + element.clientHeight) / ROW / BLOCK) * BLOCK + MARGIN);
    setRange((old) => (old[0] === first && old[1] === end ? old : [first, end]));
  };
  useEffect(look, [total]);
  return { box, range, look };
}

function Head({ lanes, deadlocked }: { lanes: Lanes; deadlocked: Set<number> }) {
  return (
    <div class="lanes-head" style={{ gridTemplateColumns: `${GUTTER}px repeat(${lanes.lanes.length}, minmax(0, 1fr))` }}>
      <span>step</span>
      {lanes.lanes.map((lane, i) => (
        <span class={deadlocked.has(i) ? "deadlocked" : ""} title={deadlocked.has(i) ? `${lane.name}: part of the deadlock` : lane.name}>{lane.name}</span>
      ))}
    </div>
  );
}

export function LaneView({ execution, step, onStep, parts, critical, order }: Props) {
  const relevant = useMemo(() => relevantSteps(execution), [execution]);
  const lanes = useMemo(() => lanesOf(execution), [execution]);
  const deadlocked = useMemo(() => deadlockedLanes(execution, lanes), [execution, lanes]);
  const arrows = useMemo(() => arrowsOf(execution, lanes, order), [execution, lanes, order]);
  const ends = shownBlocked(execution);
  const total = execution.steps.length + ends.length;
  const { box, range, look } = useVisible(total);
  const [width, setWidth] = useState(600);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      setWidth(element.clientWidth);
      look();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const top = step * ROW;
    if (top < element.scrollTop || top > element.scrollTop + element.clientHeight - 2 * ROW)
      element.scrollTop = Math.max(0, top - element.clientHeight / 2);
  }, [step]);
  const column = (width - GUTTER) / Math.max(1, lanes.lanes.length);
  const x = (agent: number) => GUTTER + (lanes.laneOf[agent] ?? 0) * column;
  const here = execution.steps[step];
  const sameLine = (i: number) => here?.line !== undefined && execution.steps[i]!.line === here.line && execution.steps[i]!.file === here.file;
  const rows = [];
  for (let i = range[0]; i < Math.min(range[1], execution.steps.length); i++) {
    const s = execution.steps[i]!;
    const fate = execution.sequence ? fates[execution.sequence[i]?.then ?? ""] : undefined;
    const classes = ["step", i === step && "selected", s.preempts && "preempts", i === critical && "critical", !relevant[i] && "dimmed", fate?.kind, sameLine(i) && "lit",
      execution.sequence?.[i]?.responsible && "responsible"].filter(Boolean).join(" ");
    rows.push(
      <div class={"row" + (i === parts ? " parts" : "") + (i === critical ? " turning" : "")} style={{ top: px(i * ROW) }} key={i}>
        <span class="number" title={s.preempts ? "the previous one could have gone on" : undefined}>
          {i === critical ? "⚠" : s.preempts ? "*" : ""}
          {i + 1}
        </span>
        <button class={classes} style={{ left: px(x(s.agent)), width: px(column - 6) }} title={title(execution, i)} onClick={() => onStep(i)}>
          {fate && <span class="sign">{fate.sign}</span>}
          {stepText(execution, i)}
        </button>
      </div>,
    );
  }
  ends.forEach((blocked, i) => {
    const row = execution.steps.length + i;
    if (row < range[0] || row >= range[1]) return;
    rows.push(
      <div class="row" style={{ top: px(row * ROW) }} key={"b" + i}>
        <span class="number">=&gt;</span>
        <button class={"step waits" + (row === step ? " selected" : "")} style={{ left: px(x(blocked.agent)), width: px(column - 6) }}
          onClick={() => onStep(row)} title={`${blocked.file ?? ""}:${blocked.line ?? ""}`}>
          <span class="sign">■</span>waits: {blocked.text}
        </button>
      </div>,
    );
  });
  return (
    <div class="lane-view">
      <Head lanes={lanes} deadlocked={deadlocked} />
      <div class="lane-rows" ref={box} onScroll={look} tabIndex={0} aria-label="steps"
        onKeyDown={(e) => {
          const move = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: 20, PageUp: -20 }[e.key];
          const to = e.key === "Home" ? 0 : e.key === "End" ? total - 1 : move !== undefined ? step + move : undefined;
          if (to === undefined) return;
          e.preventDefault();
          onStep(Math.max(0, Math.min(total - 1, to)));
        }}>
        <div class="lane-area" style={{ height: px(total * ROW) }}>
          {lanes.lanes.map((_, i) => <div class="lane-line" style={{ left: px(GUTTER + i * column + 10) }} />)}
          {rows}
          <svg class="arrows" style={{ top: px(range[0] * ROW) }} viewBox={`0 ${range[0] * ROW} ${width} ${(range[1] - range[0]) * ROW}`}
            width={width} height={(range[1] - range[0]) * ROW} aria-hidden="true">
            <defs>
              <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
                <path d="M0 0 L8 4 L0 8 z" />
              </marker>
            </defs>
            {arrows
              .filter((a) => a.to >= range[0] && a.from <= range[1] && a.to - a.from < 400)
              .map((a) => {
                const from = execution.steps[a.from]!.agent;
                const to = execution.steps[a.to]!.agent;
                const right = x(to) > x(from);
                const x1 = x(from) + (right ? column - 8 : 2);
                const x2 = x(to) + (x(to) === x(from) ? -2 : right ? 0 : column - 6);
                const y1 = a.from * ROW + ROW / 2;
                const y2 = a.to * ROW + ROW / 2;
                return <path class={"arrow " + a.kind} marker-end="url(#tip)"
                  d={`M${x1} ${y1} C${x1 + (right ? 18 : -18)} ${y1} ${x2 + (right ? -22 : 22)} ${y2} ${x2} ${y2}`} />;
              })}
          </svg>
        </div>
      </div>
    </div>
  );
}

function title(execution: Execution, i: number): string {
  const s = execution.steps[i]!;
  const place = s.file ? `\n${s.file}:${s.line} in ${s.function}` : "";
  return `${execution.agents[s.agent]!.name}: ${stepText(execution, i)}${place}`;
}

// ---- The source -------------------------------------------------------------------------

export function SourceView({ execution, step, onStep }: { execution: Execution; step: number; onStep(step: number): void }) {
  const at = step < execution.steps.length ? execution.steps[step] : shownBlocked(execution)[step - execution.steps.length];
  const files = Object.keys(execution.sources);
  const file = at?.file && execution.sources[at.file] !== undefined ? at.file : files[0];
  const lines = useMemo(() => (file ? execution.sources[file]!.split("\n") : []), [execution, file]);
  const steps = useMemo(() => {
    const byLine = new Map<number, number[]>();
    execution.steps.forEach((s, i) => {
      if (s.file !== file || !s.line) return;
      const own = byLine.get(s.line);
      if (own) own.push(i);
      else byLine.set(s.line, [i]);
    });
    return byLine;
  }, [execution, file]);
  const current = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const row = current.current;
    const area = box.current;
    if (row && area && (row.offsetTop < area.scrollTop + ROW || row.offsetTop > area.scrollTop + area.clientHeight - ROW))
      area.scrollTop = row.offsetTop - area.clientHeight / 2;
  }, [step, file]);
  if (!file) return <div class="source empty">The sources of this execution are not known.</div>;
  return (
    <div class="source" ref={box} tabIndex={0} aria-label={"source " + file}>
      <div class="source-name" title={file}>{file.split("/").pop()}</div>
      {lines.map((text, i) => {
        const here = at?.line === i + 1 && at.file === file;
        const own = steps.get(i + 1);
        return (
          <div ref={here ? current : undefined} class={"line" + (here ? " here" : "") + (own ? " used" : "")}
            onClick={() => own && onStep(own.find((s) => s > step) ?? own[0]!)}
            tabIndex={own ? 0 : undefined} role={own ? "button" : undefined}
            onKeyDown={(e) => own && (e.key === "Enter" || e.key === " ") && (e.preventDefault(), onStep(own.find((s) => s > step) ?? own[0]!))}
            title={own ? `steps ${own.slice(0, 20).map((s) => s + 1).join(", ")}` : undefined}>
            <span class="line-number">{i + 1}</span>
            <code>{text || " "}</code>
          </div>
        );
      })}
    </div>
  );
}

// ---- The state -----------------------------------------------------------------------------

export function StateView({ execution, step }: { execution: Execution; step: number }) {
  const state = useMemo(() => stateAt(execution, Math.min(step + 1, execution.steps.length)), [execution, step]);
  const inputs = Object.entries(execution.inputs);
  const queues = useMemo(() => queuesAt(execution, Math.min(step + 1, execution.steps.length)), [execution, step]);
  const condition = useMemo(() => pathCondition(execution, Math.min(step + 1, execution.steps.length)), [execution, step]);
  return (
    <div class="state" aria-label="state">
      <h3>After step {Math.min(step + 1, execution.steps.length)}</h3>
      {condition.length > 0 && <details class="condition" open><summary>path condition</summary><ul>{condition.map((c) => <li><code>{c}</code></li>)}</ul></details>}
      {inputs.length > 0 && <p class="inputs">inputs: {inputs.map(([n, v]) => `${n} = ${v}`).join(", ")}</p>}
      {state.locks.length > 0 && (
        <table><tbody>{state.locks.map((l) => (
          <tr><td>{l.lock}</td><td>held by {execution.agents[l.agent]!.name}</td></tr>))}
        </tbody></table>
      )}
      <table><tbody>{state.values.map((v) => (
        <tr class={v.changed ? "changed" : ""}><td>{v.changed ? "▸ " : ""}{v.name}</td><td>{v.value}</td></tr>))}
      </tbody></table>
      {queues.length > 0 && (
        <table class="queues" aria-label="queues"><tbody>{queues.map((q) => (
          <tr><td>{q.holder}</td><td>{execution.sequence ? "tasks" : "mail"}: {q.items.join(", ")}</td></tr>))}
        </tbody></table>
      )}
      {queues.length === 0 && state.values.length === 0 && state.locks.length === 0 && <p class="dim">nothing has changed yet</p>}
    </div>
  );
}

// ---- What if ---------------------------------------------------------------------------------

export function WhatIf({ execution, step, onInstead }: { execution: Execution; step: number; onInstead(instead: string): void }) {
  const others = useMemo(() => alternativesOf(execution, step), [execution, step]);
  if (!execution.steps[step]) return null;
  return (
    <div class="what-if" aria-label="what if">
      <h3>What if, at step {step + 1},</h3>
      {others.map((o) => <button onClick={() => onInstead(o.instead)}>{o.words}?</button>)}
      {others.length === 0 && <p class="dim">nothing else was possible here</p>}
    </div>
  );
}
