// Links that reproduce a run: what is run, and how, behind the # of the page's address.
export interface Link {
  run?: string;
  verb?: string;
  file?: string;
  methods: string[];
  more?: string; // words of the command line
  values: Record<string, string>;
}

export function writeLink(link: Link): string {
  const words = new URLSearchParams();
  if (link.run) words.set("run", link.run);
  if (link.verb) words.set("verb", link.verb);
  if (link.file) words.set("file", link.file);
  if (link.more) words.set("more", link.more);
  for (const method of link.methods) words.append("method", method);
  for (const [name, value] of Object.entries(link.values)) if (value !== "") words.set("--" + name, value);
  return words.toString();
}

export function readLink(hash: string): Link {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const link: Link = { methods: words.getAll("method"), values: {} };
  for (const key of ["run", "verb", "file", "more"] as const) if (words.has(key)) link[key] = words.get(key)!;
  for (const [name, value] of words) if (name.startsWith("--")) link.values[name.slice(2)] = value;
  return link;
}
