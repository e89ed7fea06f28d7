// Coverage of a run, from its lcov file.
export interface LineCoverage {
  hits: number; // whether it was executed; none if no code begins there
  outcomes: number; // of branches on the line
  taken: number;
}

export type Coverage = Map<string, Map<number, LineCoverage>>; // file -> line

export function parseLcov(text: string): Coverage {
  const coverage: Coverage = new Map();
  let lines = new Map<number, LineCoverage>();
  const at = (line: number) => {
    const known = lines.get(line) ?? { hits: 0, outcomes: 0, taken: 0 };
    lines.set(line, known);
    return known;
  };
  for (const row of text.split("\n")) {
    const [, kind, line, rest] = /^(DA|BRDA):(\d+),(.*)/.exec(row) ?? [];
    if (row.startsWith("SF:")) coverage.set(row.slice(3), (lines = new Map()));
    else if (kind === "DA") at(Number(line)).hits = Number(rest);
    else if (kind === "BRDA") {
      const branch = at(Number(line));
      const taken = Number(rest!.split(",").pop()); // "-" if the branch was never reached
      branch.outcomes++;
      if (taken > 0) branch.taken++;
    }
  }
  return coverage;
}

// The lines of a file that is named as on the page: by the end of its path.
export function coverageOf(coverage: Coverage, name: string): Map<number, LineCoverage> | undefined {
  for (const [file, lines] of coverage) if (file === name || file.endsWith("/" + name)) return lines;
  return undefined;
}

export interface Mark {
  kind: "covered" | "partial" | "uncovered";
  sign: string;
  words: string;
}

export function markOf({ hits, outcomes, taken }: LineCoverage): Mark {
  if (hits === 0 && taken === 0) return { kind: "uncovered", sign: "✗", words: "never executed" };
  if (taken < outcomes) return { kind: "partial", sign: "◐", words: `executed; ${taken} of ${outcomes} outcomes of its branches` };
  return { kind: "covered", sign: "▎", words: "executed" };
}
