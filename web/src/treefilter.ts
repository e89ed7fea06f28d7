// Which executions of a tree are shown. Nothing here draws.
import type { TreeEnd, TreeNode } from "./types.ts";

export interface TreeFilter {
  group: string; // "": all; "bug": all bugs; else one of endGroup
  text: string; // of an agent or a step on the way
}

export function allEnds(node: TreeNode): TreeEnd[] {
  return [...node.ends, ...node.children.flatMap(allEnds)];
}

// Executions of one group end alike.
export function endGroup(end: TreeEnd): string {
  return end.bug ? `${end.kind}-${end.id}` : end.kind === "state" ? `final state ${end.id}` : end.summary;
}

// The part of the tree that the filter lets through, or null.
export function filterTree(node: TreeNode, filter: TreeFilter): TreeNode | null {
  const met = !filter.text || node.steps.some((s) => `${s.agent}: ${s.text}`.includes(filter.text));
  const below = met ? { ...filter, text: "" } : filter;
  const ends = met ? node.ends.filter((e) => !filter.group || (filter.group === "bug" ? e.bug : endGroup(e) === filter.group)) : [];
  const children = node.children.map((c) => filterTree(c, below)).filter((c) => c !== null);
  if (ends.length === 0 && children.length === 0) return null;
  return { ...node, ends, children, executions: ends.length + children.reduce((sum, c) => sum + c.executions, 0) };
}
