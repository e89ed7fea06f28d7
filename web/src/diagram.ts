// A diagram of an execution to keep: SVG, or the same as PNG.
import type { Execution } from "./types.ts";
import { arrowsOf, lanesOf, shownBlocked, stepText } from "./lanes.ts";

const WIDTH = 230;
const ROW = 28;
const LEFT = 44;
const TOP = 36;

const escape = (t: string) => t.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const cut = (t: string) => (t.length > 32 ? t.slice(0, 31) + "…" : t);

export function diagramSvg(execution: Execution): string {
  const lanes = lanesOf(execution);
  const x = (agent: number) => LEFT + (lanes.laneOf[agent] ?? 0) * WIDTH;
  const box = (agent: number, row: number, text: string, style: string) =>
    `<rect x="${x(agent)}" y="${TOP + row * ROW}" width="${WIDTH - 14}" height="22" rx="4" ${style}/>` +
    `<text x="${x(agent) + 6}" y="${TOP + row * ROW + 15}">${escape(cut(text))}</text>`;
  const rows = execution.steps.map((s, i) => box(s.agent, i, stepText(execution, i), 'fill="#eef2f8" stroke="#8a97ab"') + `<text x="6" y="${TOP + i * ROW + 15}">${i + 1}</text>`);
  const ends = shownBlocked(execution).map((b, i) => box(b.agent, execution.steps.length + i, "waits: " + b.text, 'fill="#fde7e5" stroke="#b42318" stroke-dasharray="4 3"'));
  const heads = lanes.lanes.map((lane, i) => `<text x="${LEFT + i * WIDTH + 4}" y="20" font-weight="bold">${escape(lane.node ? `${lane.node}/${lane.name}` : lane.name)}</text>`);
  const arrows = arrowsOf(execution, lanes, false).map((a) => {
    const from = execution.steps[a.from]!.agent;
    const to = execution.steps[a.to]!.agent;
    const right = x(to) > x(from);
    return `<path d="M${x(from) + (right ? WIDTH - 14 : 0)} ${TOP + a.from * ROW + 11} L${x(to) + (right ? 0 : WIDTH - 14)} ${TOP + a.to * ROW + 11}" stroke="#1f5fbf" fill="none" marker-end="url(#t)"/>`;
  });
  const width = LEFT + lanes.lanes.length * WIDTH + 6;
  const height = TOP + (rows.length + ends.length) * ROW + 8;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="12">` +
    `<defs><marker id="t" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#1f5fbf"/></marker></defs>` +
    `<rect width="100%" height="100%" fill="#fff"/>${heads.join("")}${rows.join("")}${ends.join("")}${arrows.join("")}</svg>`;
}

// A graph of the page as a file of its own: colours that the page's style gives are written into it.
export function svgOf(element: SVGSVGElement): string {
  const copy = element.cloneNode(true) as SVGSVGElement;
  const kept = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-weight", "text-anchor", "paint-order"];
  const originals = element.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((node, i) => {
    const style = getComputedStyle(originals[i]!);
    for (const name of kept) node.setAttribute(name, style.getPropertyValue(name));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("font-family", "sans-serif");
  copy.style.background = getComputedStyle(document.body).backgroundColor;
  const box = element.viewBox.baseVal;
  copy.setAttribute("width", String(box.width));
  copy.setAttribute("height", String(box.height));
  return new XMLSerializer().serializeToString(copy);
}

function save(name: string, url: string) {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}

export function saveDiagram(name: string, svg: string, kind: "svg" | "png") {
  const file = `${name.replaceAll("/", "-")}.${kind}`;
  if (kind === "svg") {
    const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    save(file, url);
    URL.revokeObjectURL(url);
    return;
  }
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = image.width * 2;
    canvas.height = image.height * 2;
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    save(file, canvas.toDataURL("image/png"));
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
}
