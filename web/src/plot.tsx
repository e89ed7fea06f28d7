// Executions, classes, bugs and coverage of a search over time.
import type { Stats } from "./types.ts";
import { Saved } from "./saved.tsx";
import { short } from "./words.ts";

const WIDTH = 620;
const HEIGHT = 120;
const LEFT = 52;
const BOTTOM = 18;
const RIGHT = 40;

// A second has one line of figures: with one line there is nothing to plot.
export function Plot({ history }: { history: Stats[] }) {
  if (history.length < 2 || history.at(-1)!.executions + history.at(-1)!.redundant === 0) return null;
  const last = history[history.length - 1]!;
  const most = Math.max(...history.map((s) => s.executions + s.redundant), 1);
  const x = (seconds: number) => LEFT + ((WIDTH - LEFT - RIGHT) * seconds) / Math.max(last.seconds, 1e-3);
  const y = (count: number) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - 10) * count) / most;
  const line = (value: (s: Stats) => number) => "M" + history.map((s) => `${x(s.seconds).toFixed(1)} ${y(value(s)).toFixed(1)}`).join(" L");
  const share = (s: Stats) => (s.branches_hit ?? 0) / s.branches!;
  const measured = last.branches !== undefined && history.every((s) => s.branches);
  return (
    <figure class="plot">
      <Saved name="executions over time"><svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label="executions over time">
        <path class="axis" d={`M${LEFT} 6 V${HEIGHT - BOTTOM} H${WIDTH - RIGHT + 2}`} />
        <text x={LEFT - 6} y={14} class="end">{short(most)}</text>
        <text x={LEFT - 6} y={HEIGHT - BOTTOM} class="end">0</text>
        <text x={WIDTH - RIGHT} y={HEIGHT - 4} class="end">{last.seconds.toFixed(0)} s</text>
        {measured && <path class="line coverage" d={line((s) => share(s) * most)} />}
        {measured && <text class="coverage" x={WIDTH - RIGHT + 6} y={y(share(last) * most) + 4}>{Math.floor(share(last) * 100)} %</text>}
        <path class="line all" d={line((s) => s.executions + s.redundant)} />
        <path class="line classes" d={line((s) => s.executions)} />
        {history.filter((s, i) => i > 0 && s.bugs > history[i - 1]!.bugs).map((s) => <text class="bug-mark" x={x(s.seconds)} y={y(s.executions) - 4}>✗</text>)}
      </svg></Saved>
      <figcaption><span class="key classes">▬ classes</span> <span class="key all">▬ with redundant ones</span> {measured && <><span class="key coverage">▬ outcomes of branches covered: {last.branches_hit} of {last.branches}</span> </>}<span class="key bug">✗ a bug</span></figcaption>
    </figure>
  );
}
