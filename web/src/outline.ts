// Modules, classes and methods of a model, functions and threads of a C program, as far as the text shows them.
export interface OutlineItem {
  kind: "module" | "class" | "interface" | "data" | "def" | "method" | "function";
  name: string;
  line: number;
  depth: number;
  owner?: string; // the class of a method
  thread?: boolean; // of a function: threads begin with it
}

const isModel = (name: string) => name.endsWith(".abs");

export function outlineOf(text: string, name: string): OutlineItem[] {
  const code = withoutComments(text);
  return isModel(name) ? outlineOfModel(code) : outlineOfC(code);
}

// Comments and strings become blanks: nothing in them is a name, and all else stays where it is.
function withoutComments(text: string): string {
  return text.replace(/\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'/g, (found) => found.replace(/[^\n]/g, " "));
}

// The number of the line of each match, in the order in which they are asked for.
function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let seen = 0;
  return (at) => {
    for (; seen < at; seen++) if (text[seen] === "\n") line++;
    return line;
  };
}

// How many braces are open at each character.
function depths(text: string): Int32Array {
  const all = new Int32Array(text.length + 1);
  for (let i = 0, depth = 0; i <= text.length; i++) {
    all[i] = depth;
    if (text[i] === "{") depth++;
    if (text[i] === "}") depth = Math.max(0, depth - 1);
  }
  return all;
}

const UNIT = /\b(module|interface|class|data|def)\s+([\w.]+)/g;
const METHOD = /[\w>]\s+(\w+)\s*\(([^;{}()]*)\)\s*\{/g;
const STATEMENT = /^(?:if|while|foreach|return|case|switch|try|catch|new|await|else)$/;

function outlineOfModel(text: string): OutlineItem[] {
  const open = depths(text);
  const units = [...text.matchAll(UNIT)].filter((m) => open[m.index] === 0);
  const methods = [...text.matchAll(METHOD)].filter((m) => open[m.index] === 1 && !STATEMENT.test(m[1]!));
  const found: OutlineItem[] = [];
  const lineOf = lineCounter(text);
  units.forEach((unit, i) => {
    const kind = unit[1] as OutlineItem["kind"];
    const end = units[i + 1]?.index ?? text.length;
    const name = kind === "def" ? /^def\s[^(=;]*?(\w+)\s*(?:<[^<>(]*>\s*)?\(/.exec(text.slice(unit.index))?.[1] ?? unit[2]! : unit[2]!;
    found.push({ kind, name: name.replace(/\.$/, ""), line: lineOf(unit.index), depth: kind === "module" ? 0 : 1 });
    if (kind !== "class") return;
    for (const method of methods)
      if (method.index > unit.index && method.index < end)
        found.push({ kind: "method", name: method[1]!, line: lineOf(method.index + method[0].indexOf(method[1]!, 1)), depth: 2, owner: unit[2]! });
  });
  return found;
}

const FUNCTION = /^(?!\s|#|typedef|return|else|struct\s+\w+\s*\{)[\w \t*]*?\b(\w+)[ \t\n]*\(((?:[^;{}()]|\([^;{}()]*\))*)\)[^;{}=()]*\{/gm;
const CREATION = /\b(?:pthread_create|thrd_create)\s*\(([^;]*)\)/g;

function outlineOfC(text: string): OutlineItem[] {
  const begun = new Set([...text.matchAll(CREATION)].flatMap((m) => m[1]!.match(/\w+/g) ?? []));
  const open = depths(text);
  const lineOf = lineCounter(text);
  return [...text.matchAll(FUNCTION)].filter((m) => open[m.index] === 0).map((m) => ({
    kind: "function" as const, name: m[1]!, line: lineOf(m.index + m[0].indexOf(m[1]!)), depth: 0, ...(begun.has(m[1]!) && { thread: true }),
  }));
}
