// Beside the lanes of an execution: its source, the state at the selected step, and what else could have happened there.
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Execution } from "./types.ts";
import { alternativesOf } from "./alternatives.ts";
import { endRows, pathCondition, stateAt, stepText } from "./lanes.ts";
import { queuesAt } from "./queues.ts";

const ROW = 26;
// ---- The source -------------------------------------------------------------------------

export function SourceView({ execution, step, onStep }: { execution: Execution; step: number; onStep(step: number): void }) {
  const at = step < execution.steps.length ? execution.steps[step] : endRows(execution)[step - execution.steps.length];
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
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const area = box.current;
    const row = area?.querySelector<HTMLElement>(".line.here");
    if (row && area && (row.offsetTop < area.scrollTop + ROW || row.offsetTop > area.scrollTop + area.clientHeight - ROW))
      area.scrollTop = row.offsetTop - area.clientHeight / 2;
  }, [step, file]);
  if (!file) return <div class="source empty">The sources of this execution are not known.</div>;
  const used = [...steps.keys()].sort((a, b) => a - b);
  const line = at?.file === file ? at.line : undefined;
  const stop = line !== undefined && steps.has(line) ? line : used[0]; // Tab stops at one line; arrows lead to the others
  const follow = (of: number) => {
    const own = steps.get(of);
    if (own) onStep(own.find((s) => s > step) ?? own[0]!);
  };
  const press = (e: KeyboardEvent, of: number) => {
    if (e.key === "Enter" || e.key === " ") follow(of);
    else if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      const next = used[used.indexOf(of) + (e.key === "ArrowDown" ? 1 : -1)];
      box.current?.querySelector<HTMLElement>(`[data-line="${next}"]`)?.focus();
    } else return;
    e.preventDefault();
  };
  return (
    <div class="source" ref={box} aria-label={"source " + file}>
      <div class="source-name" title={file}>{file.split("/").pop()}</div>
      {lines.map((text, i) => {
        const number = i + 1;
        const here = line === number;
        const own = steps.get(number);
        return (
          <div class={"line" + (here ? " here" : "") + (own ? " used" : "")} data-line={number}
            onClick={() => follow(number)}
            tabIndex={own ? (number === stop ? 0 : -1) : undefined} role={own ? "button" : undefined}
            onKeyDown={(e) => own && press(e, number)}
            title={own ? `steps ${own.slice(0, 20).map((s) => s + 1).join(", ")}` : undefined}>
            <span class="line-number">{number}</span>
            <code>{text || " "}</code>
          </div>
        );
      })}
    </div>
  );
}

// ---- The state -----------------------------------------------------------------------------

// The selected step at full length: its box may be too narrow for it.
function Said({ execution, step }: { execution: Execution; step: number }) {
  const at = execution.steps[step] ?? endRows(execution)[step - execution.steps.length];
  if (!at) return null;
  const { name, owner } = execution.agents[at.agent]!;
  return <p class="said"><b>{owner ?? name}</b> {step < execution.steps.length ? stepText(execution, step) : at.text}</p>;
}

export function StateView({ execution, step }: { execution: Execution; step: number }) {
  const state = useMemo(() => stateAt(execution, Math.min(step + 1, execution.steps.length)), [execution, step]);
  const inputs = Object.entries(execution.inputs);
  const queues = useMemo(() => queuesAt(execution, Math.min(step + 1, execution.steps.length)), [execution, step]);
  const condition = useMemo(() => pathCondition(execution, Math.min(step + 1, execution.steps.length)), [execution, step]);
  return (
    <div class="state" aria-label="state">
      <h3>{step < execution.steps.length ? `After step ${step + 1}` : "At the end"}</h3>
      <Said execution={execution} step={step} />
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
