// Final states of a model: a page of them at a time, fields side by side; two can be compared.
import { useState } from "preact/hooks";
import type { FinalState } from "./types.ts";

const PAGE = 50;

const fieldsOf = (s: FinalState): Map<string, string> => new Map(s.objects.flatMap((o) => Object.entries(o.fields).map(([f, v]) => [`${o.name}.${f}`, v] as const)));

export function States({ states, total, onOpen }: { states: FinalState[]; total: number; onOpen(names: string[]): void }) {
  const [page, setPage] = useState(0);
  const [chosen, setChosen] = useState<string[]>([]);
  const [outcome, setOutcome] = useState("");
  const own = states.filter((s) => !outcome || s.outcome === outcome);
  const shown = own.slice(page * PAGE, (page + 1) * PAGE);
  const names = [...new Set(shown.flatMap((s) => [...fieldsOf(s).keys()]))];
  const differs = (name: string) => new Set(shown.map((s) => fieldsOf(s).get(name))).size > 1;
  const pick = (id: string) => setChosen((all) => (all.includes(id) ? all.filter((x) => x !== id) : [...all, id].slice(-2)));
  return (
    <section class="states" aria-label="final states">
      <div class="bar">
        <b>{total.toLocaleString("en")} final states</b>
        <label>outcome <select value={outcome} onChange={(e) => { setOutcome(e.currentTarget.value); setPage(0); }}>
          <option value="">any</option>{[...new Set(states.map((s) => s.outcome))].map((o) => <option>{o}</option>)}
        </select></label>
        {own.length > PAGE && <>
          <button disabled={page === 0} onClick={() => setPage(page - 1)}>◂</button>
          <span>{page + 1} of {Math.ceil(own.length / PAGE)}</span>
          <button disabled={(page + 1) * PAGE >= own.length} onClick={() => setPage(page + 1)}>▸</button>
        </>}
        <button disabled={chosen.length !== 2} onClick={() => onOpen(chosen.map((id) => `states/${id}`))}>Compare two executions</button>
        {total > states.length && <span class="dim">{states.length} of them were kept</span>}
      </div>
      <div class="scroll"><table class="grid">
        <thead><tr><th aria-label="chosen"></th><th>state</th><th>outcome</th><th>executions</th>{names.map((n) => <th class={differs(n) ? "differs" : ""}>{n}</th>)}</tr></thead>
        <tbody>{shown.map((s) => {
          const values = fieldsOf(s);
          return (
            <tr class={s.outcome === "ok" ? "" : s.outcome === "cut" ? "open" : "bug"}>
              <td><input type="checkbox" aria-label={"compare " + s.id} checked={chosen.includes(s.id)} onChange={() => pick(s.id)} /></td>
              <td><button onClick={() => onOpen([`states/${s.id}`])}>{s.id}</button></td>
              <td>{s.outcome === "ok" ? "✓ ok" : s.outcome === "cut" ? "◌ cut" : "✗ " + s.outcome}</td>
              <td class="right-aligned">{s.executions.toLocaleString("en")}</td>
              {names.map((n) => <td class={differs(n) ? "differs" : ""}>{values.get(n) ?? "–"}</td>)}
            </tr>
          );
        })}</tbody>
      </table></div>
    </section>
  );
}
