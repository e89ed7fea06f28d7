// The server's interface. Every request carries the token of the page's address.
import type { Critical, Execution, ExecutionTree, Files, Option, Problem, Run, RunDigest, Stats, SuiteResult, VerbOptions } from "./types.ts";

const token = new URLSearchParams(location.search).get("token") ?? "";

async function ask(method: string, path: string, body?: BodyInit): Promise<Response> {
  const answer = await fetch(path, { method, body, headers: { "X-Sennit-Token": token } });
  if (!answer.ok) {
    const said = await answer.json().catch(() => null);
    throw new Error(said?.error ?? `${answer.status} ${answer.statusText}`);
  }
  return answer;
}

async function get<T>(path: string): Promise<T> {
  return (await ask("GET", path)).json();
}

async function post<T>(path: string, body: unknown): Promise<T> {
  return (await ask("POST", path, JSON.stringify(body))).json();
}

const file = (name: string) => "/api/files/" + name.split("/").map(encodeURIComponent).join("/");

export const api = {
  about: () => get<{ version: string; directory: string; given: boolean }>("/api/about"),
  options: () => get<VerbOptions[]>("/api/options"),
  files: () => get<Files>("/api/files"),
  read: async (name: string) => (await ask("GET", file(name))).text(),
  write: (name: string, text: string) => ask("PUT", file(name), text),
  check: (name: string, text: string) => post<{ problems: Problem[] }>("/api/check", { name, text }),
  runs: () => get<RunDigest[]>("/api/runs"),
  run: (id: string) => get<Run>(`/api/runs/${id}`),
  start: (verb: string, words: string[]) => post<{ id: string }>("/api/runs", { verb, arguments: words }),
  stop: (id: string) => post(`/api/runs/${id}/stop`, {}),
  resume: (id: string) => post(`/api/runs/${id}/resume`, {}),
  suite: (id: string) => post<SuiteResult>(`/api/runs/${id}/test-suite`, {}),
  critical: (id: string, execution: string) =>
    post<{ critical: Critical; passing: string | null }>(`/api/runs/${id}/critical`, { execution }),
  tree: (id: string) => get<ExecutionTree>(`/api/runs/${id}/tree`),
  runFile: async (id: string, name: string) => (await ask("GET", `/api/runs/${id}/files/${name}`)).text(),
  console: async (id: string) => (await ask("GET", `/api/runs/${id}/console`)).text(),
  executions: (id: string) => get<string[]>(`/api/runs/${id}/executions`),
  execution: (id: string, name: string) => get<Execution>(`/api/runs/${id}/executions/${name}`),
  whatIf: (id: string, execution: string, instead: string) =>
    post<{ name: string; execution: Execution }>(`/api/runs/${id}/what-if`, { execution, instead }),

  // Calls back with what a run prints and counts, until it has ended. Returns a function that stops listening.
  watch(id: string, on: { console(text: string): void; stats(stats: Stats[]): void; end(): void }): () => void {
    const events = new EventSource(`/api/runs/${id}/events?token=${token}`);
    events.addEventListener("console", (e) => on.console(JSON.parse((e as MessageEvent).data)));
    events.addEventListener("stats", (e) => {
      const lines: string[] = JSON.parse((e as MessageEvent).data).trim().split("\n");
      on.stats(lines.filter((line) => line).map((line) => JSON.parse(line)));
    });
    events.addEventListener("end", () => {
      events.close();
      on.end();
    });
    return () => events.close();
  },
};

// The command line that an action of the page stands for.
export function commandLine(verb: string, words: string[]): string {
  return ["sennit", verb, ...words].map((w) => (/^[\w@%+=:,./-]+$/.test(w) ? w : "'" + w.replaceAll("'", "'\\''") + "'")).join(" ");
}

// The words that a text stands for, as a shell would read it: blanks separate, quotes hold together.
export function splitWords(text: string): string[] {
  return [...text.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map((m) => m[0].replace(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}

// The options that differ from their defaults, as words of a command line.
export function optionWords(options: Option[], values: Record<string, string>): string[] {
  const words: string[] = [];
  for (const option of options) {
    const value = values[option.name];
    if (option.kind === "flag") {
      if (value === "on") words.push(`--${option.name}`);
    } else if (value !== undefined && value !== "" && value !== option.default) {
      words.push(`--${option.name}=${value}`);
    }
  }
  return words;
}
