// Settings of the verbs, made from the tool's own table of options.
import { useState } from "preact/hooks";
import type { Option, VerbOptions } from "./types.ts";

export type Values = Record<string, string>;

// These are the page's business.
const HIDDEN = new Set(["output", "out", "json", "junit", "sarif", "github", "color", "quiet", "verbose", "store", "html", "method", "function"]);

// What the page asks for unless one says otherwise, by verb: executions for the tree, tests that can be run again.
export const DEFAULTS: Record<string, Values> = {
  test: { "keep-executions": "500" },
  explore: { "keep-executions": "500" },
  generate: { emit: "abs" },
};

// Named settings, kept by the browser: a profile has the values of every verb.
const PROFILES = "sennit-profiles";
const readProfiles = (): Record<string, Record<string, Values>> => JSON.parse(localStorage.getItem(PROFILES) ?? "{}");

export function Profiles({ values, onLoad }: { values: Record<string, Values>; onLoad(values: Record<string, Values>): void }) {
  const [profiles, setProfiles] = useState(readProfiles);
  const [name, setName] = useState("");
  const keep = (all: Record<string, Record<string, Values>>) => {
    localStorage.setItem(PROFILES, JSON.stringify(all));
    setProfiles(all);
  };
  return (
    <span class="profiles">
      <select aria-label="profile" value="" onChange={(e) => { const chosen = profiles[e.currentTarget.value]; setName(e.currentTarget.value); if (chosen) onLoad(chosen); }}>
        <option value="">profiles</option>
        {Object.keys(profiles).sort().map((p) => <option value={p}>{p}</option>)}
      </select>
      <input placeholder="name" aria-label="name of the profile" size={10} value={name} onInput={(e) => setName(e.currentTarget.value)} />
      <button disabled={!name} onClick={() => keep({ ...profiles, [name]: values })}>Save</button>
      <button disabled={!profiles[name]} onClick={() => { const { [name]: _, ...rest } = profiles; keep(rest); }}>Delete</button>
    </span>
  );
}

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

export function Settings({ options, model, all, onAll }: {
  options: VerbOptions; model: boolean; all: Record<string, Values>; onAll(values: Record<string, Values>): void;
}) {
  const values = all[options.verb] ?? {};
  const onChange = (own: Values) => onAll({ ...all, [options.verb]: own });
  const [filter, setFilter] = useState("");
  const fits = (o: Option) => !HIDDEN.has(o.name) && (!o.programs || o.programs.startsWith("ABS") === model) &&
    (o.name + " " + o.help).toLowerCase().includes(filter.toLowerCase());
  return (
    <div class="settings" aria-label="settings">
      <div class="bar">
        <input placeholder="search settings" aria-label="search settings" value={filter} onInput={(e) => setFilter(e.currentTarget.value)} />
        <button onClick={() => onChange(DEFAULTS[options.verb] ?? {})}>Reset</button>
        <Profiles values={all} onLoad={onAll} />
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
