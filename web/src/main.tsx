// The page: of a server, or a report with its data.
import { render } from "preact";
import { App } from "./app.tsx";
import { Results } from "./results.tsx";
import type { Report } from "./types.ts";

const report: Report | null = JSON.parse(document.getElementById("report")!.textContent!);
const root = document.getElementById("app")!;
if (report) {
  document.documentElement.dataset["theme"] = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const executions = {
    names: Object.keys(report.executions),
    read: (name: string) => Promise.resolve({ ...report.executions[name]!, sources: report.sources, trace: "" }),
    tree: () => Promise.resolve(report.tree),
  };
  render(
    <div class="app report">
      <header><h1>Sennit</h1><code class="command">{report.run.command}</code><span class="spacer" />
        <button aria-label="dark or light" onClick={() => { const data = document.documentElement.dataset; data["theme"] = data["theme"] === "dark" ? "light" : "dark"; }}>☀☾</button></header>
      <main><div class="right"><Results run={report.run} executions={executions} /></div></main>
    </div>, root);
} else {
  render(<App />, root);
}
