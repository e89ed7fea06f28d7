// The page with a server: files, editor, settings, runs and their results.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Files, Run, RunDigest, Stats, VerbOptions } from "./types.ts";
import { api, commandLine, optionWords } from "./api.ts";
import { Editor } from "./editor.tsx";
import { Results, type Executions } from "./results.tsx";
import { Settings, type Values } from "./settings.tsx";

interface Open {
  name: string;
  text: string;
  saved: string;
}

type Tab = "console" | "settings" | "runs";

const isModel = (name: string) => name.endsWith(".abs");
const isProgram = (name: string) => isModel(name) || name.endsWith(".c");

function FileTree({ files, current, onOpen }: { files: Files; current?: string; onOpen(name: string): void }) {
  const section = (title: string, list: { name: string }[], prefix: string) => (
    <details open>
      <summary>{title}</summary>
      <ul>{list.map((f) => (
        <li><button class={current === prefix + f.name ? "current" : ""} onClick={() => onOpen(prefix + f.name)}>{f.name}</button></li>))}
      </ul>
    </details>
  );
  return (
    <nav class="files" aria-label="files">
      {section(files.directory.split("/").pop() || "/", files.files, "")}
      {files.examples.length > 0 && section("examples", files.examples, "examples:")}
    </nav>
  );
}

// Classes and methods of a model, functions of a C program, as far as the text shows them.
function Outline({ text, name }: { text: string; name: string }) {
  const items = useMemo(() => {
    const found: { text: string; line: number; depth: number }[] = [];
    text.split("\n").forEach((line, i) => {
      const unit = /^\s*(module|interface|class|data|def)\s+([\w.]+)/.exec(line);
      const method = /^\s{2,}(?:\w[\w<>, ]*)\s+(\w+)\s*\([^;]*\)\s*\{/.exec(line);
      const fn = /^(?!\s|#|\/|return|else)[\w\s*]*?\b(\w+)\s*\([^;]*$/.exec(line);
      if (isModel(name) && unit) found.push({ text: `${unit[1]} ${unit[2]}`, line: i + 1, depth: unit[1] === "module" ? 0 : 1 });
      else if (isModel(name) && method && !/^\s*(if|while|return|case)\b/.test(line)) found.push({ text: method[1]!, line: i + 1, depth: 2 });
      else if (!isModel(name) && fn) found.push({ text: fn[1]!, line: i + 1, depth: 0 });
    });
    return found;
  }, [text, name]);
  return (
    <nav class="outline" aria-label="outline">
      <h3>Outline</h3>
      <ul>{items.slice(0, 200).map((it) => <li style={{ paddingLeft: `${it.depth * 12}px` }}>{it.text} <span class="dim">{it.line}</span></li>)}</ul>
    </nav>
  );
}

function Progress({ stats, phase }: { stats?: Stats; phase: string }) {
  if (!stats && phase !== "going") return null;
  const rate = stats && stats.seconds > 0 ? Math.round(stats.executions / stats.seconds) : 0;
  return (
    <p class="progress" aria-live="polite">
      {phase === "going" ? "◷ running" : "ended"}
      {stats && `: ${stats.executions.toLocaleString("en")} executions, ${rate.toLocaleString("en")}/s, ${stats.bugs} bugs`}
      {stats && stats.estimate > stats.executions && `; about ${Math.round(stats.estimate).toLocaleString("en")} in all (${Math.round(stats.estimate_low).toLocaleString("en")} to ${Math.round(stats.estimate_high).toLocaleString("en")})`}
    </p>
  );
}

export function App() {
  const [files, setFiles] = useState<Files>();
  const [verbs, setVerbs] = useState<VerbOptions[]>([]);
  const [open, setOpen] = useState<Open[]>([]);
  const [current, setCurrent] = useState("");
  const [verb, setVerb] = useState("test");
  const [values, setValues] = useState<Values>({});
  const [tab, setTab] = useState<Tab>("console");
  const [runs, setRuns] = useState<RunDigest[]>([]);
  const [run, setRun] = useState<Run>();
  const [names, setNames] = useState<string[]>([]);
  const [printed, setPrinted] = useState("");
  const [stats, setStats] = useState<Stats>();
  const [problem, setProblem] = useState("");
  const [dark, setDark] = useState(() => localStorage.getItem("theme") === "dark" ||
    (!localStorage.getItem("theme") && matchMedia("(prefers-color-scheme: dark)").matches));
  const unwatch = useRef(() => {});
  const fail = (e: Error) => setProblem(e.message);

  useEffect(() => {
    document.documentElement.dataset["theme"] = dark ? "dark" : "light";
    localStorage.setItem("theme", dark ? "dark" : "light");
  }, [dark]);

  const file = open.find((f) => f.name === current);
  const options = verbs.find((v) => v.verb === verb);
  const words = useMemo(() => {
    const target = current.startsWith("examples:") && files ? undefined : current;
    const own = options ? optionWords(options.groups.flatMap((g) => g.options), values) : [];
    return target ? [target, ...own] : own;
  }, [current, options, values, files]);

  const openFile = (name: string) => {
    setCurrent(name);
    if (!open.some((f) => f.name === name))
      api.read(name).then((text) => setOpen((all) => [...all.filter((f) => f.name !== name), { name, text, saved: text }]), fail);
    if (isProgram(name)) setVerb(isModel(name) ? "explore" : "test");
  };

  const show = async (id: string) => {
    unwatch.current();
    setStats(undefined);
    setPrinted("");
    setNames([]);
    const load = async () => {
      const [result, list] = await Promise.all([api.run(id), api.executions(id)]);
      setRun(result);
      setNames(list);
      setRuns(await api.runs());
    };
    setRun(await api.run(id));
    unwatch.current = api.watch(id, {
      console: (text) => setPrinted((p) => (p + text).slice(-200000)),
      stats: setStats,
      end: () => load().catch(fail),
    });
  };

  useEffect(() => {
    Promise.all([api.files(), api.options(), api.runs(), api.about()]).then(([f, o, r, about]) => {
      setFiles(f);
      setVerbs(o);
      setRuns(r);
      const first = f.files.find((x) => isProgram(x.name))?.name ?? (f.examples.some((x) => x.name === "bank.c") ? "examples:bank.c" : undefined);
      if (first) openFile(first);
      if (about.given) show("given").catch(fail);
    }, fail);
  }, []);

  // An example is copied into the workspace when it is saved or run.
  const save = async (): Promise<string> => {
    if (!file) throw new Error("no file is open");
    const name = file.name.replace(/^examples:(?:.*\/)?/, "");
    if (name !== file.name || file.text !== file.saved) {
      await api.write(name, file.text);
      setOpen((all) => [...all.filter((f) => f.name !== file.name && f.name !== name), { ...file, name, saved: file.text }]);
      setCurrent(name);
      setFiles(await api.files());
    }
    return name;
  };

  const start = async () => {
    setProblem("");
    try {
      const name = await save();
      const own = options ? optionWords(options.groups.flatMap((g) => g.options), values) : [];
      const { id } = await api.start(verb, [name, ...own]);
      setTab("console");
      await show(id);
    } catch (e) {
      fail(e as Error);
    }
  };

  const executions: Executions | undefined = useMemo(() => run && {
    names,
    read: (name) => api.execution(run.id, name),
    whatIf: (name, instead) => api.whatIf(run.id, name, instead),
  }, [run, names]);

  return (
    <div class="app">
      <header>
        <h1>Sennit</h1>
        <select aria-label="verb" value={verb} onChange={(e) => setVerb(e.currentTarget.value)}>
          {verbs.filter((v) => !(isModel(current) && v.verb === "test")).map((v) => <option value={v.verb} title={v.help}>{v.verb}</option>)}
        </select>
        <button class="run" disabled={!file || !isProgram(current)} onClick={start}>▶ Run</button>
        <button class="stop" disabled={run?.phase !== "going"} onClick={() => run && api.stop(run.id).catch(fail)}>■ Stop</button>
        <code class="command" title="the same on a command line">{commandLine(verb, words)}</code>
        <button title="copy the command" onClick={() => navigator.clipboard?.writeText(commandLine(verb, words))}>copy</button>
        <span class="spacer" />
        <button aria-label="dark or light" onClick={() => setDark(!dark)}>{dark ? "☀" : "☾"}</button>
      </header>
      {problem && <p class="problem" role="alert">{problem} <button onClick={() => setProblem("")}>✕</button></p>}
      <main>
        <aside>
          {files && <FileTree files={files} current={current} onOpen={openFile} />}
          {file && <Outline text={file.text} name={file.name} />}
        </aside>
        <div class="left">
          <div class="tabs" role="tablist">
            {open.map((f) => (
              <button role="tab" aria-selected={f.name === current} onClick={() => openFile(f.name)}>
                {f.name.replace(/^examples:/, "")}{f.text !== f.saved ? " •" : ""}
              </button>
            ))}
          </div>
          {file && <Editor key={file.name} name={file.name} text={file.text}
            onChange={(text) => setOpen((all) => all.map((f) => (f.name === file.name ? { ...f, text } : f)))}
            onSave={() => save().catch(fail)} />}
          <div class="tabs" role="tablist">
            {(["console", "settings", "runs"] as Tab[]).map((t) => <button role="tab" aria-selected={t === tab} onClick={() => setTab(t)}>{t}</button>)}
          </div>
          <div class="below">
            {tab === "console" && <pre class="console" aria-label="console">{printed || "Run a program: what Sennit prints appears here."}</pre>}
            {tab === "settings" && options && <Settings options={options} model={isModel(current)} values={values} onChange={setValues} />}
            {tab === "runs" && (
              <ul class="runs">{runs.map((r) => (
                <li><button onClick={() => show(r.id).catch(fail)}>{r.id}</button> {r.phase === "going" ? "◷ running" : r.sentence ?? ""} <span class="dim">{r.command}</span></li>))}
              </ul>
            )}
          </div>
        </div>
        <div class="right">
          {run && <Progress stats={stats} phase={run.phase} />}
          {run?.run && executions ? <Results key={run.id + names.length} run={run.run} executions={executions} />
            : run?.phase === "ended" ? <p class="problem" role="alert">The run ended with exit code {run.exit_code}; the console says why.</p>
            : !run && <p class="dim welcome">Choose a program on the left and press Run. Sennit explores every schedule of it; a bug is shown here step by step.</p>}
        </div>
      </main>
    </div>
  );
}
