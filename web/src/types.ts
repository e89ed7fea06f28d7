// What the server and `sennit replay --execution` say; docs/design/page.md and docs/design/execution.md.

export interface Place {
  file?: string;
  line?: number;
  function?: string;
}

export interface Access {
  resource: number;
  mode: "read" | "write" | "update";
  guard?: boolean;
  before: string;
  after: string;
}

export interface Choice {
  taken: number;
  options: number;
  input: boolean;
  condition?: string; // what the inputs satisfy
  possible?: { option: number; step?: number; value: string }[]; // writes that could have been read
}

export interface Step extends Place {
  agent: number;
  text: string;
  preempts?: boolean;
  creates?: number[];
  after?: number[];
  choices?: Choice[];
  enabled?: number[];
  accesses: Access[];
}

export interface Agent {
  path: string;
  name: string;
  owner?: string;
  sender?: number;
  receiver?: number;
  timer?: boolean;
  creator: number;
  steps: number;
}

export interface Finding {
  kind: string;
  id: string;
  summary: string;
  position: number;
  agents: number[];
  places: Place[];
  actions?: string[]; // what each agent does: known of the bugs of a run
}

export interface SequenceStep {
  time: number;
  clock?: string; // time passes until then: no step of a task, and the other members are missing
  object: string;
  task: string;
  then: "returned" | "waiting" | "blocked" | "failed" | "stopped" | "";
  end_line?: number;
  awaits?: string;
  changes?: string;
}

export interface Execution {
  format: number;
  end: "complete" | "stopped" | "cut" | "crashed";
  findings: Finding[];
  inputs: Record<string, string>;
  agents: Agent[];
  steps: Step[];
  blocked: (Place & { agent: number; text: string; accesses: Access[] })[];
  resources: string[];
  sequence?: SequenceStep[];
  sources: Record<string, string>;
  trace: string;
  output?: string;
}

export interface Party {
  thread: string;
  action: string;
  place: Place;
  stack: Place[];
  locks?: (Place & { name: string })[];
  waits_for?: string;
  owner?: string;
}

export interface Bug {
  kind: string;
  id: string;
  summary: string;
  confirmed: boolean;
  doubt?: string;
  places: Place[];
  trace: string;
  preemptions: number;
  inputs: Record<string, unknown>;
  explanation?: string[];
  after?: string[]; // bugs that its execution showed before: KIND-ID
  threads: Party[];
  step_count: number;
}

export interface Cycle {
  id: string;
  cycle: string;
  title?: string;
  edges: { from: string; label: string; to: string }[];
  details: string[];
  constraints?: string[]; // what holds in every deadlock along it
  places: Place[];
  source?: string;
  result: "confirmed" | "discarded" | "timeout" | "unchecked";
  bounded: boolean;
  note?: string;
  trace: string | null;
  states: number;
  executions: number;
}

// A thread requested the lock `to` while it held `from`.
export interface LockOrder {
  from: string;
  to: string;
  thread: string;
  held?: Place;
  requested?: Place;
}

export interface FinalState {
  id: string;
  outcome: string;
  executions: number;
  objects: { name: string; class: string; dead: boolean; fields: Record<string, string> }[];
}

export interface TreeEnd {
  name: string;
  kind: string;
  id: string;
  bug: boolean;
  summary: string;
  steps: number;
  inputs?: Record<string, string>;
}

export interface TreeNode {
  executions: number;
  steps: { agent: string; text: string; file?: string; line?: number }[];
  ends: TreeEnd[];
  children: TreeNode[];
}

export interface ExecutionTree {
  of: "executions" | "examples";
  kept: number;
  root: TreeNode | null;
}

export interface Critical {
  steps: number;
  passes: number; // this many steps can still end well
  fails: number; // this many cannot
  found: boolean;
  sentence: string;
  executions: number;
}

export interface Shown {
  shown: string;
  value: string;
}

export interface TestCase {
  number: number;
  outcome: string;
  constraints: string[];
  inputs: { name: string; value: string }[];
  objects: { variable: string; path?: string; class: string; fields: { name: string; before: Shown; after: Shown }[] }[];
  tasks: { object: string; method: string; arguments: { name: string; before: Shown }[]; end: string; result?: Shown }[];
  schedule: { name: string; line: number }[];
}

export interface TestSuite {
  methods: string[];
  tests: TestCase[];
}

export interface SuiteResult {
  exit_code: number;
  output: string;
  messages: string;
}

// What a run of `generate` leaves instead of a RunResult.
export interface GenerateResult {
  verb: "generate";
  command: string;
  sentence: string;
  methods: string[];
  tests: number;
  contexts: number;
  coverage: { outcomes: number; all_outcomes: number; statements: number; all_statements: number };
  executions: number;
  cuts: Record<string, number>;
  complete: boolean;
  verdict: string;
}

export interface RunResult {
  program: string;
  command: string | null;
  version: string;
  verdict: string;
  sentence: string;
  note: string | null;
  memory?: string;
  bounds: { name: string; limit: number; hits: number }[];
  unseen: { kind: string; name: string; file: string; line: number }[];
  executions: number;
  redundant: number;
  steps: number;
  depth: number;
  threads: number;
  seconds: number;
  cpu_seconds: number;
  peak_kb: number;
  exit_code: number;
  final_state_count?: number;
  final_states?: FinalState[];
  cycles?: Cycle[];
  lock_orders?: LockOrder[];
  coverage?: {
    lines: number; lines_hit: number; branches: number; branches_hit: number;
    uncovered: { file: string | null; line: number; function: string | null }[]; // outcomes of branches that no execution takes
  };
  bugs: Bug[];
}

export type Phase = "going" | "ended" | "elsewhere" | "found";

export interface RunDigest {
  id: string;
  phase: Phase;
  command?: string;
  verdict?: string;
  sentence?: string;
  bugs?: number;
}

export interface Run {
  id: string;
  phase: Phase;
  exit_code?: number;
  resumable: boolean;
  run: RunResult | GenerateResult | null;
}

export interface Stats {
  seconds: number;
  executions: number;
  redundant: number;
  bugs: number;
  estimate: number;
  estimate_low: number;
  estimate_high: number;
  workers: number;
  branches?: number; // outcomes of branches
  branches_hit?: number;
}

export interface Option {
  name: string;
  kind: "flag" | "choice" | "text";
  argument: string;
  default: string;
  help: string;
  programs?: string;
}

export interface VerbOptions {
  verb: string;
  help: string;
  groups: { title: string; options: Option[] }[];
}

export interface Files {
  directory: string;
  files: { name: string; size: number }[];
  examples: { name: string; size: number }[];
}

export interface Problem {
  line: number;
  column: number;
  message: string;
}

// An HTML report: the page with its data.
export interface Report {
  run: RunResult;
  tree: ExecutionTree;
  executions: Record<string, Omit<Execution, "sources" | "trace">>;
  sources: Record<string, string>;
}
