// Small directed graphs, and edges between their nodes. Nothing here draws.
import type { LockOrder, Party } from "./types.ts";

export interface GraphEdge {
  from: string;
  to: string;
  label: string;
  circular?: boolean; // it is on a cycle
}

export interface Point {
  x: number;
  y: number;
}

export interface GraphNode {
  name: string;
  at: Point; // the middle of its box
  half: number; // half of the width of its box
}

export interface Layout {
  width: number;
  height: number;
  nodes: Map<string, GraphNode>;
}

const LETTER = 3.7; // half of the width of a letter in a box, more or less
const LABEL_LETTER = 6; // the width of one in a label
const MOST_HALF = 85;
const MARGIN = 8;
const HALF_HEIGHT = 13;

// The nodes in the order in which the edges name them, clockwise on an ellipse; two are beside each other.
export function layoutOf(edges: GraphEdge[]): Layout {
  const names = [...new Set(edges.flatMap((e) => [e.from, e.to]))];
  const halves = names.map((n) => Math.min(MOST_HALF, n.length * LETTER + 10));
  const widest = Math.max(0, ...halves);
  const label = Math.max(0, ...edges.map((e) => e.label.length)) * LABEL_LETTER;
  const few = names.length <= 2;
  const apart = names.length % 2 || names.length > 6 ? (widest + 2) / Math.sin(Math.PI / Math.max(3, names.length)) : 0; // those at the ends
  const width = few ? Math.max(260, 2 * halves.reduce((sum, half) => sum + half, 0) + 2 * MARGIN + Math.max(90, label - 2 * widest + 20)) : Math.max(460, 2 * (widest + MARGIN) + 260, 2 * (apart + widest + MARGIN));
  const height = few ? 110 : names.length <= 4 ? 200 : names.length <= 6 ? 260 : 44 * names.length;
  const rx = width / 2 - widest - MARGIN;
  const ry = height / 2 - HALF_HEIGHT - MARGIN;
  const nodes = names.map((name, i): GraphNode => {
    const half = halves[i]!;
    const angle = (2 * Math.PI * i) / names.length - Math.PI / 2;
    const beside = names.length === 1 ? width / 2 : i === 0 ? half + MARGIN : width - half - MARGIN;
    return { name, half, at: few ? { x: beside, y: height / 2 } : { x: width / 2 + Math.cos(angle) * rx, y: height / 2 + Math.sin(angle) * ry } };
  });
  return { width, height, nodes: new Map(nodes.map((n) => [n.name, n])) };
}

export interface EdgePath {
  d: string;
  label: Point & { anchor: "start" | "middle" | "end" };
}

// From the border of one box to that of the other, bent outwards; an edge to itself is a loop.
export function edgePath({ from, to, label }: GraphEdge, { nodes, width, height }: Layout): EdgePath {
  const a = nodes.get(from)!;
  const b = nodes.get(to)!;
  if (a === b)
    return { d: `M${a.at.x - 14} ${a.at.y - HALF_HEIGHT} c-20 -44 48 -44 28 0`, label: { x: a.at.x, y: a.at.y - 42, anchor: "middle" } };
  const dx = b.at.x - a.at.x;
  const dy = b.at.y - a.at.y;
  const length = Math.hypot(dx, dy);
  const bend = Math.min(54, length * 0.3);
  const control = { x: (a.at.x + b.at.x) / 2 + (dy / length) * bend, y: (a.at.y + b.at.y) / 2 - (dx / length) * bend };
  const begin = leave(a, control);
  const end = leave(b, control);
  const middle = { x: (begin.x + 2 * control.x + end.x) / 4, y: (begin.y + 2 * control.y + end.y) / 4 };
  return {
    d: `M${round(begin.x)} ${round(begin.y)} Q${round(control.x)} ${round(control.y)} ${round(end.x)} ${round(end.y)}`,
    label: labelAt(middle, label.length * LABEL_LETTER, width, height),
  };
}

// Beside a curve on the left or the right, over or under one in the middle.
function labelAt(middle: Point, size: number, width: number, height: number): EdgePath["label"] {
  const side = middle.x - width / 2;
  const y = (down: number) => clamp(middle.y + down, 11, height - 3);
  if (Math.abs(side) < 20) return { x: clamp(middle.x, size / 2, width - size / 2), y: y(middle.y < height / 2 ? -6 : 15), anchor: "middle" };
  if (side > 0) return { x: Math.min(middle.x + 5, width - size), y: y(4), anchor: "start" };
  return { x: Math.max(middle.x - 5, size), y: y(4), anchor: "end" };
}

const round = (n: number) => Math.round(n * 10) / 10;
const clamp = (n: number, low: number, high: number) => Math.max(low, Math.min(high, n));

// Where the line towards `target` leaves the box of a node.
function leave({ at, half }: GraphNode, target: Point): Point {
  const dx = target.x - at.x;
  const dy = target.y - at.y;
  const share = Math.min(Math.abs((half + 2) / (dx || 1e-6)), Math.abs((HALF_HEIGHT + 2) / (dy || 1e-6)), 1);
  return { x: at.x + dx * share, y: at.y + dy * share };
}

function reaches(edges: GraphEdge[], from: string, to: string): boolean {
  const seen = new Set([from]);
  const open = [from];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node === to) return true;
    for (const e of edges) if (e.from === node && !seen.has(e.to)) { seen.add(e.to); open.push(e.to); }
  }
  return false;
}

// One edge between two locks, with all threads that took them in this order.
export function orderEdges(orders: LockOrder[]): GraphEdge[] {
  const edges = new Map<string, GraphEdge & { takers: Set<string> }>();
  for (const o of orders) {
    const key = JSON.stringify([o.from, o.to]);
    const edge = edges.get(key) ?? { from: o.from, to: o.to, label: "", takers: new Set<string>() };
    edge.takers.add(`${o.thread}${o.requested ? `:${o.requested.line}` : ""}`);
    edges.set(key, edge);
  }
  const all = [...edges.values()];
  return all.map(({ from, to, takers }) => {
    const [first, ...rest] = [...takers];
    return { from, to, label: rest.length ? `${first} +${rest.length}` : first!, circular: reaches(all, to, from) };
  });
}

// Who waits for whom in a deadlock: for a lock that a thread holds, for an object that a task blocks, for a task to return.
export function waitEdges(parties: Party[]): GraphEdge[] {
  return parties.flatMap((p) =>
    p.owner ? [{ from: p.thread, to: p.owner, label: `${p.waits_for === p.owner ? "its result" : p.waits_for} (line ${p.place.line})` }] : []);
}
