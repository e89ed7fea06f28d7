// A diagram with buttons that save it.
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { saveDiagram, svgOf } from "./diagram.ts";

export function Saved({ name, children }: { name: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const save = (kind: "svg" | "png") => saveDiagram(name.replace(/[^\w.-]+/g, "-").slice(0, 60), svgOf(box.current!.querySelector("svg")!), kind);
  return (
    <div class="saved" ref={box}>
      {children}
      <div class="saves"><button title="save this graph as SVG" onClick={() => save("svg")}>SVG</button><button title="save this graph as PNG" onClick={() => save("png")}>PNG</button></div>
    </div>
  );
}
