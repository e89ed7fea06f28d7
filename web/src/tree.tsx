// The tree of executions: what they have in common, where they part, how they end.
import { useMemo, useState } from "preact/hooks";
import type { ExecutionTree, TreeEnd, TreeNode } from "./types.ts";
import { allEnds, endGroup, filterTree, type TreeFilter } from "./treefilter.ts";

const PAGE = 200; // nodes shown below one node at first

function Ends({ ends, onOpen }: { ends: TreeEnd[]; onOpen(name: string): void }) {
  return (
    <>
      {ends.map((end) => (
        <li class={"tree-end " + (end.bug ? "bug" : "good")}>
          <button onClick={() => onOpen(end.name)} title={end.summary}>{end.bug ? "✗" : "✓"} {end.bug ? `${end.kind}-${end.id}` : end.kind === "state" ? `final state ${end.id}` : end.summary}</button>
          {" "}<span class="dim">{end.steps} steps{end.inputs ? "; " + Object.entries(end.inputs).map(([n, v]) => `${n} = ${v}`).join(", ") : ""}</span>
        </li>
      ))}
    </>
  );
}

function stepsLine(node: TreeNode): string {
  const shown = node.steps.slice(0, 3).map((s) => `${s.agent}: ${s.text}`).join("  ·  ");
  return node.steps.length > 3 ? `${shown}  · … ${node.steps.length - 3} more` : shown || "(start)";
}

function Node({ node, depth, open, onOpen }: { node: TreeNode; depth: number; open: number; onOpen(name: string): void }) {
  const [shown, setShown] = useState(PAGE);
  const [unfolded, setUnfolded] = useState(depth < open);
  const bugs = useMemo(() => allEnds(node).filter((e) => e.bug).length, [node]);
  return (
    <li class="tree-node">
      <details open={unfolded} onToggle={(e) => setUnfolded(e.currentTarget.open)}>
        <summary title={node.steps.map((s) => `${s.agent}: ${s.text}${s.file ? `  ${s.file}:${s.line}` : ""}`).join("\n")}>
          <code>{stepsLine(node)}</code>{" "}
          <span class="count">{node.executions}</span>{bugs > 0 && <span class="count bug">✗ {bugs}</span>}
        </summary>
        {unfolded && (
          <ul>
            <Ends ends={node.ends} onOpen={onOpen} />
            {node.children.slice(0, shown).map((child) => <Node node={child} depth={depth + 1} open={open} onOpen={onOpen} />)}
            {node.children.length > shown && <li><button onClick={() => setShown(shown + PAGE)}>{node.children.length - shown} more …</button></li>}
          </ul>
        )}
      </details>
    </li>
  );
}

export function TreeView({ tree, onOpen }: { tree: ExecutionTree; onOpen(name: string): void }) {
  const [filter, setFilter] = useState<TreeFilter>({ group: "", text: "" });
  const [levels, setLevels] = useState(3);
  const groups = useMemo(() => {
    const count = new Map<string, number>();
    for (const end of tree.root ? allEnds(tree.root) : []) count.set(endGroup(end), (count.get(endGroup(end)) ?? 0) + 1);
    return [...count].sort((a, b) => b[1] - a[1]);
  }, [tree]);
  const shown = useMemo(() => tree.root && filterTree(tree.root, filter), [tree, filter]);
  if (!tree.root) return <p class="dim">This run kept no executions; <code>--keep-executions=500</code> does.</p>;
  return (
    <section class="tree" aria-label="tree of executions">
      <div class="bar">
        <label>ends in{" "}
          <select aria-label="filter by end" value={filter.group} onChange={(e) => setFilter({ ...filter, group: e.currentTarget.value })}>
            <option value="">anything</option>
            <option value="bug">a bug</option>
            {groups.map(([group, count]) => <option value={group}>{group} ({count})</option>)}
          </select>
        </label>
        <input placeholder="thread, object or step" aria-label="filter by step" value={filter.text} onInput={(e) => setFilter({ ...filter, text: e.currentTarget.value })} />
        <label>unfold <input type="range" aria-label="levels unfolded" min="1" max="12" value={levels} onInput={(e) => setLevels(Number(e.currentTarget.value))} /></label>
        <span class="dim">{tree.of === "executions" ? `${tree.kept} executions` : `${tree.kept} executions: one for each final state or bug`}</span>
      </div>
      {shown ? <ul key={levels}><Node node={shown} depth={0} open={levels} onOpen={onOpen} /></ul> : <p class="dim">no execution is like that</p>}
    </section>
  );
}
