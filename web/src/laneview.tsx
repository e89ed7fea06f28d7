// The lanes of an execution: a box per step, arrows between them. Only what is in view is drawn, in blocks of rows that
// come and go while one scrolls and are drawn once.
import { Component } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Execution } from "./types.ts";
import { arrowsOf, boxText, deadlockedLanes, endRows, fates, isResponsible, lanesOf, relevantSteps, stepText, type Arrow, type EndRow, type Lanes } from "./lanes.ts";

const ROW = 26;
const GUTTER = 46;
const LEAST_COLUMN = 112; // many lanes are scrolled sideways
const BLOCK = 16; // rows that come and go together
const MARGIN = 3; // blocks drawn above and below what is in view
const MOST_PRINTED = 3000; // rows; paper has no end, browsers do

const px = (n: number) => `${n}px`;

export interface LaneProps {
  execution: Execution;
  step: number;
  onStep(step: number): void;
  parts?: number; // where it leaves another execution
  critical?: number; // the step after which every continuation fails
  order: boolean;
}

// What is the same for all blocks as long as nothing but the selected step changes.
interface Drawing {
  execution: Execution;
  ends: EndRow[];
  lanes: Lanes;
  relevant: boolean[];
  arrows: Arrow[];
  column: number;
  parts: number | undefined;
  critical: number | undefined;
  onStep(step: number): void;
}

const left = (drawing: Drawing, agent: number) => GUTTER + (drawing.lanes.laneOf[agent] ?? 0) * drawing.column;

// ---- The blocks in view -------------------------------------------------------------------

function blocksOf(element: HTMLElement, total: number): [number, number] {
  const height = ROW * BLOCK;
  const last = Math.ceil(total / BLOCK);
  return [
    Math.max(0, Math.floor(element.scrollTop / height) - MARGIN),
    Math.min(last, Math.ceil((element.scrollTop + element.clientHeight) / height) + MARGIN),
  ];
}

function useBlocks(total: number) {
  const box = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState<[number, number]>([0, MARGIN]);
  const [printing, setPrinting] = useState(false);
  const look = () => {
    if (!box.current) return;
    const now = blocksOf(box.current, total);
    setRange((old) => (old[0] === now[0] && old[1] === now[1] ? old : now));
  };
  useEffect(look, [total]);
  useEffect(() => {
    const print = matchMedia("print");
    const change = () => setPrinting(print.matches);
    print.addEventListener("change", change);
    return () => print.removeEventListener("change", change);
  }, []);
  const shown: [number, number] = printing ? [0, Math.ceil(Math.min(total, MOST_PRINTED) / BLOCK)] : range;
  return { box, range: shown, look };
}

// ---- A block ------------------------------------------------------------------------------------

interface BlockProps {
  drawing: Drawing;
  number: number;
  selected: number; // the selected row, if it is in this block, else -1
  lit: string; // the place whose steps are underlined
}

const placeKey = (s?: { file?: string; line?: number }) => (s?.line === undefined ? "" : `${s.file}:${s.line}`);

// Drawn again only if something in it changes.
class Block extends Component<BlockProps> {
  override shouldComponentUpdate(next: BlockProps) {
    const old = this.props;
    return next.drawing !== old.drawing || next.number !== old.number || next.selected !== old.selected || next.lit !== old.lit;
  }

  override render({ drawing, number, selected, lit }: BlockProps) {
    const { execution, ends } = drawing;
    const first = number * BLOCK;
    const end = Math.min(first + BLOCK, execution.steps.length + ends.length);
    const rows = [];
    for (let i = first; i < end; i++)
      rows.push(i < execution.steps.length ? stepRow(drawing, i, i === selected, lit) : endRow(drawing, i, ends[i - execution.steps.length]!, i === selected));
    return (
      <div class="block" style={{ top: px(first * ROW), height: px((end - first) * ROW) }}>
        {rows}
        <Arrows drawing={drawing} first={first} end={end} />
      </div>
    );
  }
}

function stepRow(drawing: Drawing, i: number, selected: boolean, lit: string) {
  const { execution, critical, parts } = drawing;
  const s = execution.steps[i]!;
  const sequence = execution.sequence?.[i];
  const fate = sequence && fates[sequence.then];
  const classes = ["step", selected && "selected", s.preempts && "preempts", i === critical && "critical", !drawing.relevant[i] && "dimmed", fate?.kind,
    lit !== "" && placeKey(s) === lit && "lit", isResponsible(execution, i) && "responsible"].filter(Boolean).join(" ");
  return (
    <div class={"row" + (i === parts ? " parts" : "") + (i === critical ? " turning" : "")} key={i}>
      <span class="number" title={s.preempts ? "the previous one could have gone on" : undefined}>
        {i === critical ? "⚠" : s.preempts ? "*" : ""}{i + 1}
      </span>
      <button class={classes} tabIndex={-1} style={{ left: px(left(drawing, s.agent)), width: px(drawing.column - 6) }} title={title(execution, i)}
        onClick={() => drawing.onStep(i)}>
        {fate && <span class="sign">{fate.sign}</span>}{boxText(execution, drawing.lanes, i)}
      </button>
    </div>
  );
}

// Who waits without a bug may do so.
function endRow(drawing: Drawing, row: number, end: EndRow, selected: boolean) {
  const calm = drawing.execution.findings.length === 0;
  return (
    <div class="row" key={row}>
      <span class="number">=&gt;</span>
      <button class={`step ${end.kind}${calm ? " calm" : ""}${selected ? " selected" : ""}`} tabIndex={-1} style={{ left: px(left(drawing, end.agent)), width: px(drawing.column - 6) }}
        onClick={() => drawing.onStep(row)} title={`${drawing.execution.agents[end.agent]!.name}: ${end.text}${end.file ? `\n${end.file}:${end.line}` : ""}`}>
        <span class="sign">{end.kind === "waits" ? "■" : "✗"}</span>{end.text}
      </button>
    </div>
  );
}

function title(execution: Execution, i: number): string {
  const s = execution.steps[i]!;
  const place = s.file ? `\n${s.file}:${s.line} in ${s.function}` : "";
  return `${execution.agents[s.agent]!.name}: ${stepText(execution, i)}${place}`;
}

// The parts of arrows that are in a block: one path for all of a kind, another for their tips.
function Arrows({ drawing, first, end }: { drawing: Drawing; first: number; end: number }) {
  const lines = new Map<string, { line: string; tips: string }>();
  for (const a of drawing.arrows) {
    if (a.to < first - 1 || a.from > end) continue;
    const { line, tip } = arrowPath(drawing, a, first);
    const kind = lines.get(a.kind) ?? { line: "", tips: "" };
    lines.set(a.kind, { line: kind.line + line, tips: kind.tips + tip });
  }
  if (lines.size === 0) return null;
  return (
    <svg class="arrows" aria-hidden="true">
      {[...lines].map(([kind, { line, tips }]) => <><path class={"arrow " + kind} d={line} /><path class={"tip " + kind} d={tips} /></>)}
    </svg>
  );
}

function arrowPath(drawing: Drawing, a: Arrow, first: number): { line: string; tip: string } {
  const { execution, column } = drawing;
  const from = left(drawing, execution.steps[a.from]!.agent);
  const to = left(drawing, execution.steps[a.to]!.agent);
  const right = to > from;
  const x1 = from + (right ? column - 8 : 2);
  const x2 = to + (to === from ? -2 : right ? 0 : column - 6);
  const y1 = (a.from - first) * ROW + ROW / 2;
  const y2 = (a.to - first) * ROW + ROW / 2;
  const back = right || to === from ? -7 : 7; // a tip points to its box
  return {
    line: `M${x1} ${y1}C${x1 + (right ? 18 : -18)} ${y1} ${x2 + (right || to === from ? -22 : 22)} ${y2} ${x2} ${y2}`,
    tip: `M${x2} ${y2}l${back} -4v8z`,
  };
}

// ---- All of it ---------------------------------------------------------------------------------

// The nodes of a cluster, each over its lanes.
function Nodes({ lanes }: { lanes: Lanes }) {
  const nodes = [...new Set(lanes.lanes.map((lane) => lane.node))];
  if (nodes.every((node) => node === undefined)) return null;
  return (
    <>
      <i />
      {nodes.map((node) => <b class={node === undefined ? "" : "node"} style={{ gridColumn: `span ${lanes.lanes.filter((lane) => lane.node === node).length}` }}>{node}</b>)}
    </>
  );
}

function Head({ lanes, deadlocked, column }: { lanes: Lanes; deadlocked: Set<number>; column: number }) {
  return (
    <div class="lanes-head" style={{ gridTemplateColumns: `${GUTTER}px repeat(${lanes.lanes.length}, ${column}px)` }}>
      <Nodes lanes={lanes} />
      <span>step</span>
      {lanes.lanes.map((lane, i) => (
        <span class={deadlocked.has(i) ? "deadlocked" : ""} title={deadlocked.has(i) ? `${lane.name}: part of the deadlock` : lane.name}>{lane.name}</span>
      ))}
    </div>
  );
}

// The row that a key leads to, or none.
function rowAfter(key: string, row: number, total: number): number | undefined {
  const move = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: 20, PageUp: -20 }[key];
  const to = key === "Home" ? 0 : key === "End" ? total - 1 : move !== undefined ? row + move : undefined;
  return to === undefined ? undefined : Math.max(0, Math.min(total - 1, to));
}

export function LaneView({ execution, step, onStep, parts, critical, order }: LaneProps) {
  const lanes = useMemo(() => lanesOf(execution), [execution]);
  const deadlocked = useMemo(() => deadlockedLanes(execution, lanes), [execution, lanes]);
  const ends = useMemo(() => endRows(execution), [execution]);
  const total = execution.steps.length + ends.length;
  const { box, range, look } = useBlocks(total);
  const top = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  const latest = useRef(onStep);
  latest.current = onStep;
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
    const row = step * ROW;
    if (row < element.scrollTop || row > element.scrollTop + element.clientHeight - 2 * ROW)
      element.scrollTop = Math.max(0, row - element.clientHeight / 2);
  }, [step]);
  const drawing: Drawing = useMemo(() => ({
    execution, lanes, ends, parts, critical,
    relevant: relevantSteps(execution),
    arrows: arrowsOf(execution, lanes, order),
    column: Math.max(LEAST_COLUMN, (width - GUTTER) / Math.max(1, lanes.lanes.length)),
    onStep: (i) => latest.current(i),
  }), [execution, lanes, ends, parts, critical, order, width]);
  useEffect(() => { // its lane may be out of view
    const agent = (execution.steps[step] ?? ends[step - execution.steps.length])?.agent;
    const element = box.current;
    if (!element || agent === undefined) return;
    const from = left(drawing, agent);
    if (from < element.scrollLeft + GUTTER) element.scrollLeft = from - GUTTER;
    else if (from + drawing.column > element.scrollLeft + element.clientWidth) element.scrollLeft = from + drawing.column - element.clientWidth;
  }, [step, drawing]);
  const sideways = drawing.column === LEAST_COLUMN;
  const lit = placeKey(execution.steps[step]);
  const blocks = [];
  for (let n = range[0]; n < range[1]; n++)
    blocks.push(<Block key={n} drawing={drawing} number={n} selected={Math.floor(step / BLOCK) === n ? step : -1} lit={lit} />);
  return (
    <div class="lane-view">
      <div class="lanes-top" ref={top}><Head lanes={lanes} deadlocked={deadlocked} column={drawing.column} /></div>
      <div class={"lane-rows" + (sideways ? " sideways" : "")} ref={box} onScroll={() => { look(); if (sideways) top.current!.scrollLeft = box.current!.scrollLeft; }} tabIndex={0} aria-label="steps"
        onKeyDown={(e) => {
          const to = rowAfter(e.key, step, total);
          if (to === undefined || e.ctrlKey || e.metaKey || e.altKey) return;
          e.preventDefault();
          onStep(to);
        }}>
        <div class="lane-area" style={{ height: px(total * ROW), minWidth: px(GUTTER + lanes.lanes.length * drawing.column) }}>
          {lanes.lanes.map((_, i) => <div class="lane-line" style={{ left: px(GUTTER + i * drawing.column + 10) }} />)}
          {blocks}
        </div>
      </div>
    </div>
  );
}
