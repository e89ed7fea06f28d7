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

export interface Step extends Place {
  agent: number;
  text: string;
  preempts?: boolean;
  creates?: number[];
  after?: number[];
  choices?: { taken: number; options: number; input: boolean }[];
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
}

export interface SequenceStep {
  time: number;
  object: string;
  task: string;
  then: "returned" | "waiting" | "blocked" | "failed" | "stopped" | "";
  end_line?: number;
  awaits?: string;
  changes?: string;
  responsible?: boolean;
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
  threads: Party[];
  step_count: number;
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
  final_states?: { id: string; outcome: string; executions?: number }[];
  bugs: Bug[];
}

export interface RunDigest {
  id: string;
  phase: "going" | "ended" | "found";
  command?: string;
  verdict?: string;
  sentence?: string;
  bugs?: number;
}

export interface Run {
  id: string;
  phase: "going" | "ended" | "found";
  exit_code?: number;
  run: RunResult | null;
}

export interface Stats {
  seconds: number;
  executions: number;
  bugs: number;
  estimate: number;
  estimate_low: number;
  estimate_high: number;
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
  executions: Record<string, Execution>;
}
