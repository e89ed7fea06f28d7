// Line coverage of a run, from its lcov file.
export type Coverage = Map<string, Map<number, number>>; // file -> line -> how often

export function parseLcov(text: string): Coverage {
  const coverage: Coverage = new Map();
  let lines: Map<number, number> | undefined;
  for (const row of text.split("\n")) {
    if (row.startsWith("SF:")) coverage.set(row.slice(3), (lines = new Map()));
    const hit = /^DA:(\d+),(\d+)/.exec(row);
    if (hit && lines) lines.set(Number(hit[1]), Number(hit[2]));
  }
  return coverage;
}

// The lines of a file that is named as on the page: by the end of its path.
export function coverageOf(coverage: Coverage, name: string): Map<number, number> | undefined {
  for (const [file, lines] of coverage) if (file === name || file.endsWith("/" + name)) return lines;
  return undefined;
}
