// Which files are programs, and the folders they are in. Nothing here draws.

// How a file is called in the directory: that of an example is its copy there.
export const ownName = (name: string) => name.replace(/^examples:(?:.*\/)?/, "");

export const isModel = (name: string) => name.endsWith(".abs");
// What describes a cluster; its nodes are programs that were built before.
export const isCluster = (name: string) => name.endsWith(".conf");
export const isProgram = (name: string) => isModel(name) || isCluster(name) || name.endsWith(".c");

// The verbs that a program can be run with, the usual one first.
export function verbsOf(name: string): string[] {
  if (isCluster(name)) return ["explore"];
  return isModel(name) ? ["explore", "deadlock", "generate"] : ["test", "explore", "deadlock", "generate"];
}

export interface FolderTree {
  name: string;
  files: { name: string; path: string }[];
  folders: FolderTree[];
}

export function foldersOf(name: string, files: { name: string }[]): FolderTree {
  const root: FolderTree = { name, files: [], folders: [] };
  for (const { name: path } of files) {
    const words = path.split("/");
    const file = words.pop()!;
    let folder = root;
    for (const word of words) {
      let below = folder.folders.find((f) => f.name === word);
      if (!below) folder.folders.push((below = { name: word, files: [], folders: [] }));
      folder = below;
    }
    folder.files.push({ name: file, path });
  }
  return root;
}
