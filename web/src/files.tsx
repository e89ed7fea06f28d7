// The files of the directory and the examples, folder by folder; what kind of program a file is.
import { useState } from "preact/hooks";
import type { Files } from "./types.ts";
import { foldersOf, isProgram, type FolderTree } from "./programs.ts";

interface FolderProps {
  folder: FolderTree;
  prefix: string; // of the names of its files
  current?: string;
  open: boolean;
  onOpen(name: string): void;
}

function Folder({ folder, prefix, current, open, onOpen }: FolderProps) {
  const [unfolded, setUnfolded] = useState(open); // files that come later fold nothing up
  const shown = unfolded || (current !== undefined && folder.files.some((f) => prefix + f.path === current));
  return (
    <details open={shown} onToggle={(e) => setUnfolded(e.currentTarget.open)}>
      <summary>{folder.name}</summary>
      <ul>
        {folder.files.map((f) => (
          <li><button class={current === prefix + f.path ? "current" : ""} title={f.path} onClick={() => onOpen(prefix + f.path)}>{f.name}</button></li>
        ))}
        {folder.folders.map((below) => <li key={below.name}><Folder folder={below} prefix={prefix} current={current} open={false} onOpen={onOpen} /></li>)}
      </ul>
    </details>
  );
}

export function FileTree({ files, current, onOpen }: { files: Files; current?: string; onOpen(name: string): void }) {
  const examples = files.examples.filter((f) => isProgram(f.name));
  return (
    <nav class="files" aria-label="files">
      <Folder folder={foldersOf(files.directory.split("/").pop() || "/", files.files)} prefix="" open current={current} onOpen={onOpen} />
      {examples.length > 0 && <Folder folder={foldersOf("examples", examples)} prefix="examples:" open={files.files.length < 8} current={current} onOpen={onOpen} />}
    </nav>
  );
}
