// Modules, classes and methods of a model, functions of a C program, as far as the text shows them.
export interface OutlineItem {
  kind: "module" | "class" | "interface" | "data" | "def" | "method" | "function";
  name: string;
  line: number;
  depth: number;
  owner?: string; // the class of a method
}

const isModel = (name: string) => name.endsWith(".abs");

export function outlineOf(text: string, name: string): OutlineItem[] {
  return isModel(name) ? outlineOfModel(text) : outlineOfC(text);
}

function outlineOfModel(text: string): OutlineItem[] {
  const found: OutlineItem[] = [];
  let owner: string | undefined;
  text.split("\n").forEach((line, i) => {
    const unit = /^\s*(module|interface|class|data|def)\s+([\w.]+)/.exec(line);
    const method = /^\s{2,}(?:\w[\w<>, ]*)\s+(\w+)\s*\([^;]*\)\s*\{/.exec(line);
    if (unit) {
      const kind = unit[1] as OutlineItem["kind"];
      owner = kind === "class" ? unit[2] : undefined;
      found.push({ kind, name: unit[2]!, line: i + 1, depth: kind === "module" ? 0 : 1 });
    } else if (method && owner && !/^\s*(if|while|return|case|else|try|catch)\b/.test(line)) {
      found.push({ kind: "method", name: method[1]!, line: i + 1, depth: 2, owner });
    }
  });
  return found;
}

function outlineOfC(text: string): OutlineItem[] {
  const found: OutlineItem[] = [];
  text.split("\n").forEach((line, i) => {
    const fn = /^(?!\s|#|\/|return|else|typedef)[\w\s*]*?\b(\w+)\s*\([^;]*$/.exec(line);
    if (fn) found.push({ kind: "function", name: fn[1]!, line: i + 1, depth: 0 });
  });
  return found;
}
