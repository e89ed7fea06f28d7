// Settings of the verbs, made from the tool's own table of options.
import { useState } from "preact/hooks";
import type { Option, VerbOptions } from "./types.ts";

export type Values = Record<string, string>;

// These are the page's business.
const HIDDEN = new Set(["output", "json", "junit", "sarif", "github", "color", "quiet", "verbose", "store", "html"]);

function Field({ option, value, onChange }: { option: Option; value: string | undefined; onChange(value: string): void }) {
  const id = "option-" + option.name;
  return (
    <div class="field" title={option.help}>
      <label for={id}>{option.name}</label>
      {option.kind === "flag" ? (
        <input id={id} type="checkbox" checked={value === "on"} onChange={(e) => onChange(e.currentTarget.checked ? "on" : "")} />
      ) : option.kind === "choice" ? (
        <select id={id} value={value ?? option.default} onChange={(e) => onChange(e.currentTarget.value)}>
          {option.argument.split("|").map((word) => <option value={word}>{word}</option>)}
        </select>
      ) : (
        <input id={id} placeholder={option.default || option.argument} value={value ?? ""} onInput={(e) => onChange(e.currentTarget.value)} />
      )}
      <span class="help">{option.help}</span>
    </div>
  );
}

export function Settings({ options, model, values, onChange }: { options: VerbOptions; model: boolean; values: Values; onChange(values: Values): void }) {
  const [filter, setFilter] = useState("");
  const fits = (o: Option) => !HIDDEN.has(o.name) && (!o.programs || o.programs.startsWith("ABS") === model) &&
    (o.name + " " + o.help).toLowerCase().includes(filter.toLowerCase());
  return (
    <div class="settings" aria-label="settings">
      <div class="bar">
        <input placeholder="search settings" aria-label="search settings" value={filter} onInput={(e) => setFilter(e.currentTarget.value)} />
        <button onClick={() => onChange({})}>Reset</button>
      </div>
      {options.groups.map((group) => {
        const own = group.options.filter(fits);
        return own.length > 0 && (
          <fieldset>
            <legend>{group.title}</legend>
            {own.map((o) => <Field key={o.name} option={o} value={values[o.name]} onChange={(v) => onChange({ ...values, [o.name]: v })} />)}
          </fieldset>
        );
      })}
    </div>
  );
}
