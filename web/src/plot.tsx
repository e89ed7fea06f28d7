// Executions, classes and bugs over time, and the estimate of how many there are in all.
import type { Stats } from "./types.ts";
import { Saved } from "./saved.tsx";

const WIDTH = 620;
const HEIGHT = 120;
const LEFT = 52;
const BOTTOM = 18;

const short = (n: number) => (n >= 1e6 ? `${(n / 1e6).toPrecision(3)} M` : n >= 1e4 ? `${Math.round(n / 1e3)} k` : n.toLocaleString("en"));

// A second has one line of figures: with one line there is nothing to plot.
export function Plot({ history }: { history: Stats[] }) {
  if (history.length < 2) return null;
  const last = history[history.length - 1]!;
  const most = Math.max(...history.map((s) => s.executions + s.redundant), 1);
  const x = (seconds: number) => LEFT + ((WIDTH - LEFT - 8) * seconds) / Math.max(last.seconds, 1e-3);
  const y = (count: number) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - 10) * count) / most;
  const line = (value: (s: Stats) => number) => "M" + [...history].map((s) => `${x(s.seconds).toFixed(1)} ${y(value(s)).toFixed(1)}`).join(" L");
  return (
    <figure class="plot">
      <Saved name="executions over time"><svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label="executions over time">
        <path class="axis" d={`M${LEFT} 6 V${HEIGHT - BOTTOM} H${WIDTH - 6}`} />
        <text x={LEFT - 6} y={14} class="end">{short(most)}</text>
        <text x={LEFT - 6} y={HEIGHT - BOTTOM} class="end">0</text>
        <text x={WIDTH - 6} y={HEIGHT - 4} class="end">{last.seconds.toFixed(0)} s</text>
        <path class="line all" d={line((s) => s.executions + s.redundant)} />
        <path class="line classes" d={line((s) => s.executions)} />
        {history.filter((s, i) => i > 0 && s.bugs > history[i - 1]!.bugs).map((s) => <text class="bug-mark" x={x(s.seconds)} y={y(s.executions) - 4}>✗</text>)}
      </svg></Saved>
      <figcaption><span class="key classes">▬ classes</span> <span class="key all">▬ with redundant ones</span> <span class="key bug">✗ a bug</span></figcaption>
    </figure>
  );
}
