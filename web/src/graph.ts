// Small directed graphs on a circle, and edges between their nodes. Nothing here draws.
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

// The nodes in the order in which the edges name them, and where each is.
export function circle(edges: GraphEdge[], width: number, height: number): { nodes: string[]; at: Map<string, Point> } {
  const nodes = [...new Set(edges.flatMap((e) => [e.from, e.to]))];
  const at = new Map<string, Point>();
  nodes.forEach((node, i) => {
    const angle = (2 * Math.PI * i) / nodes.length - Math.PI / 2;
    const flat = nodes.length === 2; // beside each other
    at.set(node, {
      x: width / 2 + (flat ? (i === 0 ? -1 : 1) * width * 0.3 : Math.cos(angle) * width * 0.36),
      y: height / 2 + (flat ? 0 : Math.sin(angle) * height * 0.38),
    });
  });
  return { nodes, at };
}

const HALF = { x: 62, y: 15 }; // about half of a node's box

// From the border of one box to that of the other, bent outwards; an edge to itself is a loop.
export function edgePath(from: Point, to: Point, width: number, height: number): { d: string; label: Point } {
  if (from.x === to.x && from.y === to.y)
    return { d: `M${from.x - 14} ${from.y - HALF.y} c-20 -44 48 -44 28 0`, label: { x: from.x, y: from.y - 48 } };
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const length = Math.hypot(dx, dy);
  const bend = Math.min(46, length * 0.3);
  const middle = { x: (from.x + to.x) / 2 + (dy / length) * bend, y: (from.y + to.y) / 2 - (dx / length) * bend };
  const a = leave(from, middle);
  const b = leave(to, middle);
  return {
    d: `M${round(a.x)} ${round(a.y)} Q${round(middle.x)} ${round(middle.y)} ${round(b.x)} ${round(b.y)}`,
    label: { x: clamp(middle.x, 50, width - 50), y: clamp(middle.y, 12, height - 6) },
  };
}

const round = (n: number) => Math.round(n * 10) / 10;
const clamp = (n: number, low: number, high: number) => Math.max(low, Math.min(high, n));

// Where the line towards `target` leaves the box around `center`.
function leave(center: Point, target: Point): Point {
  const dx = target.x - center.x;
  const dy = target.y - center.y;
  const share = Math.min(Math.abs(HALF.x / (dx || 1e-6)), Math.abs(HALF.y / (dy || 1e-6)), 1);
  return { x: center.x + dx * share, y: center.y + dy * share };
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
