// The page with a server: files, editor, settings, runs and their results.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Files, Phase, Run, RunDigest, Stats, TestSuite, VerbOptions } from "./types.ts";
import { api, commandLine, optionWords, splitWords } from "./api.ts";
import { coverageOf, parseLcov, type Coverage } from "./coverage.ts";
import { Editor } from "./editor.tsx";
import { FileTree } from "./files.tsx";
import { readLink, writeLink } from "./link.ts";
import { outlineOf } from "./outline.ts";
import { Plot } from "./plot.tsx";
import { isCluster, isModel, isProgram, ownName, verbsOf } from "./programs.ts";
import { ExecutionPanel, GenerateResults, Results, type Executions } from "./results.tsx";
import { DEFAULTS, Settings, type Values } from "./settings.tsx";
import { printedTests } from "./testvalues.ts";
import { counted, progressWords } from "./words.ts";

interface Open {
  name: string;
  text: string;
  saved: string;
}

type Tab = "console" | "settings" | "runs" | "help";

// The file that a run is of: "…/sennit-out/001/bank" is made from bank.c, a cluster from a description.
function programOf(run: Run | undefined, files: Files): string | undefined {
  if (!run?.run || !("program" in run.run)) return undefined;
  const cluster = / --cluster[ =](\S+)/.exec(run.run.command ?? "")?.[1];
  const base = (cluster ?? run.run.program).split("/").pop()!;
  const isIt = (f: { name: string }) => [base, base + ".c"].includes(f.name.split("/").pop()!) && isProgram(f.name);
  const example = files.examples.find(isIt);
  return files.files.find(isIt)?.name ?? (example && "examples:" + example.name);
}

// Check boxes choose what tests are generated for: methods of a model, or one function.
function Outline({ text, name, methods, onMethods, onLine }: {
  text: string; name: string; methods: string[]; onMethods(methods: string[]): void; onLine(line: number): void;
}) {
  const items = useMemo(() => outlineOf(text, name), [text, name]);
  const methodsOf = (owner: string) => items.filter((it) => it.owner === owner).map((it) => `${owner}.${it.name}`);
  const toggle = (wanted: string[]) => {
    const all = wanted.every((m) => methods.includes(m));
    onMethods(all ? methods.filter((m) => !wanted.includes(m)) : [...new Set([...methods, ...wanted])]);
  };
  const box = (wanted: string[], label: string) => wanted.length > 0 && (
    <input type="checkbox" aria-label={"generate tests for " + label} checked={wanted.every((m) => methods.includes(m))} onChange={() => toggle(wanted)} />
  );
  return (
    <nav class="outline" aria-label="outline">
      <h3>Outline</h3>
      <ul>{items.slice(0, 300).map((it) => (
        <li style={{ paddingLeft: `${it.depth * 10}px` }}>
          {it.kind === "class" && box(methodsOf(it.name), it.name)}
          {it.kind === "method" && box([`${it.owner}.${it.name}`], `${it.owner}.${it.name}`)}
          {it.kind === "module" && box(items.filter((m) => m.kind === "method").map((m) => `${m.owner}.${m.name}`), it.name)}
          {it.kind === "function" && it.name !== "main" && (
            <input type="radio" name="function" aria-label={"generate tests for " + it.name} checked={methods[0] === it.name} onChange={() => onMethods([it.name])} />)}
          <button onClick={() => onLine(it.line)} title={`line ${it.line}`}>{it.kind === "method" || (it.kind === "function" && !it.thread) ? it.name : it.thread ? <><span class="dim">thread</span> {it.name}</> : <><span class="dim">{it.kind}</span> {it.name}</>}</button>
        </li>))}
      </ul>
    </nav>
  );
}

function Help() {
  return (
    <div class="help-text">
      <p>Choose a program on the left, edit it, press <b>Run</b> (Ctrl+Enter). The command line above is what runs: copy it to run the same in a shell; <b>link</b> copies an address that sets all of this up again.</p>
      <dl>
        <dt>test, explore</dt><dd>every schedule up to equivalence, every input up to the path it takes</dd>
        <dt>deadlock</dt><dd>cycles found in the code; with <code>--search=per-cycle</code> each is confirmed by an execution or refuted</dd>
        <dt>generate</dt><dd>tests for the methods (or the function) that are checked in the outline</dd>
        <dt>↓ ↑ j k</dt><dd>in an execution: next and previous step; Page Up, Page Down, Home, End</dd>
        <dt>Esc, then Tab</dt><dd>leaves the editor, where Tab alone indents; Ctrl+S saves</dd>
        <dt>*</dt><dd>the previous thread could have gone on: a preemption</dd>
        <dt>⚠</dt><dd>the critical step: before it some continuation passes, after it every one fails</dd>
        <dt>✓ ◷ ■</dt><dd>in models: the task returned, waits, blocks its object; framed in red: part of the deadlock</dd>
        <dt>dimmed</dt><dd>the bug does not depend on this step</dd>
        <dt>▎ ◐ ✗ in the margin</dt><dd>the line was executed; not with every outcome of its branches; never</dd>
      </dl>
    </div>
  );
}

// Where a run is written to is the page's business.
const shortCommand = (command: string) => command.replace(/ (?:-o|--out(?:put)?)[ =]\S+/, "");

function Runs({ runs, current, onShow }: { runs: RunDigest[]; current?: string; onShow(id: string): void }) {
  if (runs.length === 0) return <p class="dim">No runs yet.</p>;
  return (
    <table class="grid runs" aria-label="runs"><tbody>{runs.map((r) => (
      <tr class={r.id === current ? "current" : ""}>
        <td><button onClick={() => onShow(r.id)}>{r.id}</button></td>
        <td>{r.command && <code>{shortCommand(r.command)}</code>}<div>{isGoing(r.phase) ? "◷ running" : r.sentence ?? <span class="dim">no result</span>}</div></td>
      </tr>))}
    </tbody></table>
  );
}

const isGoing = (phase: Phase) => phase === "going" || phase === "elsewhere";

function Progress({ stats, phase }: { stats?: Stats; phase: Phase }) {
  if (!isGoing(phase)) return null;
  return (
    <p class="progress" aria-live="polite">
      ◷ running{phase === "elsewhere" && " in another process"}
      {stats && `: ${progressWords(stats)}`}
    </p>
  );
}

// A run that was killed, or is suspended: what it has left.
function Unfinished({ stats, executions }: { stats?: Stats; executions: Executions }) {
  return (
    <div class="results">
      <section class="verdict open" aria-label="verdict">
        <p class="sentence"><span class="sign">◌</span> This run has no result: it was ended from outside, or is suspended.</p>
        {stats && <p class="figures">{counted(stats.executions, "execution")} in {stats.seconds.toFixed(0)} s, {counted(stats.bugs, "bug")}</p>}
      </section>
      <ExecutionPanel executions={executions} wanted={[]} bugs={[]} />
    </div>
  );
}

// A run without a result: the last line that it printed says why, the console says it at length.
function Failed({ exitCode, printed }: { exitCode?: number; printed: string }) {
  const last = printed.trim().split("\n").pop();
  return (
    <p class="problem" role="alert">
      The run ended with exit code {exitCode}; the console says why.{last && <><br /><code>{last}</code></>}
      {/undefined reference/.test(printed) && <><br />Other source files of the program go into the field beside the command line: “util.c queue.c”, also “-lm”.</>}
    </p>
  );
}

// A plot needs a few hundred points, however long a search takes.
function thin(history: Stats[]): Stats[] {
  return history.length <= 600 ? history : history.filter((_, i) => i % 2 === 0 || i === history.length - 1);
}

export function App() {
  const [files, setFiles] = useState<Files>();
  const [verbs, setVerbs] = useState<VerbOptions[]>([]);
  const [open, setOpen] = useState<Open[]>([]);
  const [current, setCurrent] = useState("");
  const [verb, setVerb] = useState("test");
  const [values, setValues] = useState<Record<string, Values>>(DEFAULTS);
  const [more, setMore] = useState<Record<string, string>>({}); // words of the command line, by program
  const [methods, setMethods] = useState<string[]>([]);
  const [wide, setWide] = useState(false);
  const [line, setLine] = useState<{ number: number }>();
  const [coverage, setCoverage] = useState<Coverage>();
  const [suite, setSuite] = useState<TestSuite>();
  const [tab, setTab] = useState<Tab>("console");
  const [runs, setRuns] = useState<RunDigest[]>([]);
  const [run, setRun] = useState<Run>();
  const [names, setNames] = useState<string[]>([]);
  const [printed, setPrinted] = useState("");
  const [counts, setCounts] = useState<Stats[]>([]);
  const [problem, setProblem] = useState("");
  const [dark, setDark] = useState(() => localStorage.getItem("theme") === "dark" ||
    (!localStorage.getItem("theme") && matchMedia("(prefers-color-scheme: dark)").matches));
  const unwatch = useRef(() => {});
  const fail = (e: Error) => setProblem(e.message);

  const latestStart = useRef(() => {});
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) latestStart.current();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);

  useEffect(() => {
    document.documentElement.dataset["theme"] = dark ? "dark" : "light";
    localStorage.setItem("theme", dark ? "dark" : "light");
  }, [dark]);

  const file = open.find((f) => f.name === current);
  const options = verbs.find((v) => v.verb === verb);
  const own = useMemo(() => {
    const chosen = verb === "generate" ? methods.map((m) => (isModel(current) ? `--method=${m}` : `--function=${m}`)) : [];
    return [...chosen, ...(options ? optionWords(options.groups.flatMap((g) => g.options).filter((o) => isModel(current) || o.name !== "emit"), values[verb] ?? {}) : []), ...splitWords(more[ownName(current)] ?? "")];
  }, [verb, methods, options, values, current, more]);
  const program = isCluster(current) ? ["--cluster", ownName(current)] : [ownName(current)];
  const words = current ? [...program, ...own] : own;

  const openFile = (name: string, as?: string) => {
    if (name !== current) setMethods([]);
    setCurrent(name);
    if (!open.some((f) => f.name === name))
      api.read(name).then((text) => setOpen((all) => [...all.filter((f) => f.name !== name), { name, text, saved: text }]), fail);
    if (isProgram(name)) setVerb(as ?? verbsOf(name)[0]!);
  };

  const close = ({ name, text, saved }: Open) => {
    if (text !== saved && !confirm(`${name} has changes that were not saved. Close it?`)) return;
    const left = open.filter((f) => f.name !== name);
    setOpen(left);
    if (name === current) setCurrent(left.at(-1)?.name ?? "");
  };

  const show = async (id: string) => {
    unwatch.current();
    setCounts([]);
    setPrinted("");
    setNames([]);
    setSuite(undefined);
    setCoverage(undefined); // that of another run may be of another text
    const load = async () => {
      const [result, list] = await Promise.all([api.run(id), api.executions(id)]);
      setNames(list);
      setRun(result);
      setCoverage(await api.runFile(id, "coverage.info").then(parseLcov, () => undefined));
      if (result.run && "verb" in result.run) setSuite(await api.runFile(id, "tests.json").then((t) => JSON.parse(t), () => undefined));
      setRuns(await api.runs());
    };
    setRun(await api.run(id));
    unwatch.current = api.watch(id, {
      console: (text) => setPrinted((p) => (p + text).slice(-200000)),
      stats: (lines) => setCounts((old) => thin([...old, ...lines])),
      end: () => load().catch(fail),
    });
  };

  const resume = () => {
    if (run) api.resume(run.id).then(() => show(run.id)).catch(fail);
  };

  useEffect(() => {
    const read = async () => {
      const about = await api.about();
      return Promise.all([api.files(), api.options(), api.runs(), about, about.given ? api.run("given") : undefined]);
    };
    read().then(([f, o, r, about, given]) => {
      setFiles(f);
      setVerbs(o);
      setRuns(r);
      const link = readLink(location.hash);
      history.replaceState(null, "", location.pathname + location.search); // it has been followed
      if (link.verb) setValues((old) => ({ ...old, [link.verb!]: link.values }));
      const known = programOf(given, f);
      if (given && !known) setWide(true); // what is edited is another program
      const first = link.file ?? known ?? f.files.find((x) => isProgram(x.name))?.name ?? (f.examples.some((x) => x.name === "bank.c") ? "examples:bank.c" : undefined);
      if (first) openFile(first, link.verb);
      if (link.methods.length) setMethods(link.methods);
      if (first && link.more) setMore({ [ownName(first)]: link.more });
      const going = r.find((x) => x.phase === "going"); // it was started from a page that is gone
      if (link.run || about.given || going) show(link.run ?? (about.given ? "given" : going!.id)).catch(fail);
    }, fail);
  }, []);

  // An example is copied into the workspace when it is saved or run.
  const save = async (): Promise<void> => {
    if (!file) throw new Error("no file is open");
    const name = ownName(file.name);
    if (name !== file.name || file.text !== file.saved) {
      await api.write(name, file.text);
      setOpen((all) => [...all.filter((f) => f.name !== file.name && f.name !== name), { ...file, name, saved: file.text }]);
      setCurrent(name);
      setFiles(await api.files());
    }
  };

  const start = async () => {
    setProblem("");
    try {
      await save();
      const { id } = await api.start(verb, words);
      setTab("console");
      await show(id);
    } catch (e) {
      fail(e as Error);
    }
  };

  latestStart.current = () => void start();

  const executions: Executions | undefined = useMemo(() => run && {
    names,
    read: (name) => api.execution(run.id, name),
    tree: () => api.tree(run.id),
    whatIf: (name, instead) => api.whatIf(run.id, name, instead),
    critical: (name) => api.critical(run.id, name),
  }, [run, names]);

  const copyLink = () => {
    location.hash = writeLink({ verb, file: current, methods, more: more[ownName(current)], values: values[verb] ?? {} });
    void navigator.clipboard?.writeText(location.href);
  };
  const stats = counts.at(-1);
  const runAgain = async () => { await save(); return api.suite(run!.id); };
  const made = useMemo(() => printedTests(printed), [printed]);
  const printedSource = made.tests.length > 0 ? { tests: made.tests, fileName: made.file, runAgain, file: (name: string) => api.runFile(run!.id, name) } : undefined;
  const covered = coverage && file && file.text === file.saved ? coverageOf(coverage, file.name) : undefined;

  return (
    <div class="app">
      <header>
        <h1>Sennit</h1>
        <select aria-label="verb" value={verb} onChange={(e) => setVerb(e.currentTarget.value)}>
          {verbs.filter((v) => verbsOf(current).includes(v.verb)).map((v) => <option value={v.verb} title={v.help}>{v.verb}</option>)}
        </select>
        <button class="run" disabled={!file || !isProgram(current)} onClick={start}>▶ Run</button>
        <button class="stop" disabled={run?.phase !== "going"} onClick={() => run && api.stop(run.id).catch(fail)}>■ Stop</button>
        {run?.resumable && !isGoing(run.phase) && <button class="resume" title="continue the search where it stopped" onClick={resume}>▶▶ Resume</button>}
        <code class="command" title="the same on a command line">{commandLine(verb, words)}</code>
        <input id="more-words" aria-label="more words of the command line" value={more[ownName(current)] ?? ""}
          placeholder={isModel(current) ? "+ other files" : "+ files, flags, -- arguments"}
          title={isModel(current) ? "other files of the model" : "other source files, compiler flags; after -- arguments of the program"}
          onInput={(e) => setMore({ ...more, [ownName(current)]: e.currentTarget.value })} />
        <button class="link" title="an address that sets up this program, verb and settings" onClick={copyLink}>link</button>
        <button title="copy the command" onClick={() => navigator.clipboard?.writeText(commandLine(verb, words))}>copy</button>
        <span class="spacer" />
        <button aria-label="only results" aria-pressed={wide} title="hide files and editor" onClick={() => setWide(!wide)}>⇔</button>
        <button aria-label="dark or light" onClick={() => setDark(!dark)}>{dark ? "☀" : "☾"}</button>
      </header>
      {problem && <p class="problem" role="alert">{problem} <button onClick={() => setProblem("")}>✕</button></p>}
      <main class={wide ? "wide" : ""}>
        <aside>
          {files && <FileTree files={files} current={current} onOpen={openFile} />}
          {file && isProgram(file.name) && !isCluster(file.name) && <Outline text={file.text} name={file.name} methods={methods} onMethods={setMethods} onLine={(number) => setLine({ number })} />}
        </aside>
        <div class="left">
          <div class="tabs" role="tablist">
            {open.map((f) => (
              <span class="closable">
                <button role="tab" aria-selected={f.name === current} title={f.name} onClick={() => openFile(f.name)}>
                  {f.name.replace(/^examples:(?:.*\/)?/, "")}{f.text !== f.saved ? " •" : ""}
                </button>
                <button class="close" aria-label={"close " + f.name} onClick={() => close(f)}>✕</button>
              </span>
            ))}
          </div>
          {file && <Editor key={file.name} name={file.name} text={file.text} coverage={covered} line={line}
            onChange={(text) => setOpen((all) => all.map((f) => (f.name === file.name ? { ...f, text } : f)))}
            onSave={() => save().catch(fail)} />}
          <div class="tabs" role="tablist">
            {(["console", "settings", "runs", "help"] as Tab[]).map((t) => <button role="tab" aria-selected={t === tab} onClick={() => setTab(t)}>{t}</button>)}
          </div>
          <div class="below">
            {tab === "console" && <pre class="console" aria-label="console">{printed || "Run a program: what Sennit prints appears here."}</pre>}
            {tab === "settings" && options && <Settings options={options} model={isModel(current)} all={values} onAll={setValues} />}
            {tab === "help" && <Help />}
            {tab === "runs" && <Runs runs={runs} current={run?.id} onShow={(id) => show(id).catch(fail)} />}
          </div>
        </div>
        <div class="right">
          {run && <Progress stats={stats} phase={run.phase} />}
          {run && isGoing(run.phase) && <Plot history={counts} />}
          {run?.run && "verb" in run.run ? <GenerateResults run={run.run}
              source={suite && { suite, runAgain, file: (name) => api.runFile(run.id, name) }} />
            : run?.run && !("verb" in run.run) && !isGoing(run.phase) && executions ? <Results key={run.id + names.length + printedSource?.fileName} run={run.run} executions={executions} tests={printedSource} plot={<Plot history={counts} />} />
            : run?.phase === "ended" ? <Failed exitCode={run.exit_code} printed={printed} />
            : run?.phase === "found" && executions ? <Unfinished stats={stats} executions={executions} />
            : !run && <p class="dim welcome">Choose a program on the left and press Run. Sennit explores every schedule of it; a bug is shown here step by step.</p>}
        </div>
      </main>
    </div>
  );
}
