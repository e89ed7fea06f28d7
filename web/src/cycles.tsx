// What `sennit deadlock` found: each abstract cycle as a graph with its result, and all lock orders together.
import type { Cycle, LockOrder } from "./types.ts";
import { edgePath, layoutOf, orderEdges, type GraphEdge } from "./graph.ts";
import { Saved } from "./saved.tsx";
import { counted } from "./words.ts";

const results: Record<Cycle["result"], { sign: string; words: string; kind: string }> = {
  confirmed: { sign: "✗", words: "confirmed: an execution reaches it", kind: "bug" },
  discarded: { sign: "✓", words: "discarded: no schedule leads to it", kind: "good" },
  timeout: { sign: "◌", words: "open: the time limit was reached", kind: "open" },
  unchecked: { sign: "◌", words: "open: not checked (--search=per-cycle checks it)", kind: "open" },
};

export function Graph({ edges, label }: { edges: GraphEdge[]; label: string }) {
  const layout = layoutOf(edges);
  const { width, height } = layout;
  return (
    <Saved name={label}>
    <svg class="graph" viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={label}>
      <defs>
        <marker id="edge-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" /></marker>
      </defs>
      {edges.map((e) => {
        const { d, label: text } = edgePath(e, layout);
        return (
          <g class={"edge" + (e.circular ? " circular" : "")}>
            <path d={d} marker-end="url(#edge-tip)" />
            <text x={text.x} y={text.y} text-anchor={text.anchor}>{e.label}</text>
          </g>
        );
      })}
      {[...layout.nodes.values()].map(({ name, at, half }) => (
        <g class="node">
          <rect x={at.x - half} y={at.y - 13} width={2 * half} height={26} rx={6} />
          <text x={at.x} y={at.y + 4}>{name.length > 23 ? name.slice(0, 22) + "…" : name}<title>{name}</title></text>
        </g>
      ))}
    </svg>
    </Saved>
  );
}

// The order in which locks were taken in executions: the edges on cycles are marked.
function LockOrders({ orders }: { orders: LockOrder[] }) {
  const edges = orderEdges(orders);
  const circular = edges.filter((e) => e.circular).length;
  return (
    <article class="cycle lock-orders">
      <h3>Lock orders <span class="dim">seen in executions: an arrow leads from a lock that was held to the one that was requested then</span></h3>
      <p class="figures">{counted(edges.length, "order")}, {circular === 0 ? "none of them on a cycle" : `${circular} on cycles (bold)`}</p>
      <Graph edges={edges} label="lock orders" />
    </article>
  );
}

export function Cycles({ cycles, orders, onOpen }: { cycles: Cycle[]; orders?: LockOrder[]; onOpen(trace: string): void }) {
  return (
    <section class="cycles" aria-label="deadlock cycles">
      {cycles.map((c, i) => {
        const result = results[c.result];
        return (
          <article class={"cycle " + result.kind}>
            <h3>{c.title ?? `Cycle ${i + 1} of ${cycles.length}`} <code>{c.id}</code> <span class={"outcome " + result.kind}>{result.sign} {result.words}</span>
              {" "}{c.trace && <button onClick={() => onOpen(c.trace!)}>show its execution</button>}</h3>
            <div class="cycle-body">
              {c.edges.length > 0 && <Graph edges={c.edges} label={c.cycle} />}
              <div>
                <ul class="details">{c.details.map((d) => <li>{d}</li>)}</ul>
                {c.constraints && <details class="constraints"><summary>necessary conditions of a deadlock along it</summary><ul>{c.constraints.map((d) => <li><code>{d}</code></li>)}</ul></details>}
                {c.note && <p>{c.note}</p>}
                {c.executions > 0 && <p class="figures">{counted(c.states, "state")} in {counted(c.executions, "execution")}{c.bounded ? ", within the bounds" : ""}</p>}
                {c.source && <p class="figures">found in {c.source}</p>}
              </div>
            </div>
          </article>
        );
      })}
      {cycles.length === 0 && <p>No cycle: the program cannot deadlock in this way.</p>}
      {orders && orders.length > 0 && <LockOrders orders={orders} />}
    </section>
  );
}
