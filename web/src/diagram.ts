// A diagram of an execution to keep: SVG, or the same as PNG.
import type { Execution } from "./types.ts";
import { arrowsOf, boxText, deadlockedLanes, endRows, fates, isResponsible, lanesOf, type Arrow, type EndRow, type Lane, type Lanes } from "./lanes.ts";

const ROW = 28;
const LEFT = 44;
const TOP = 36;
const GAP = 14; // between lanes
const LETTER = 6.4;
const MOST_LETTERS = 52; // of a box; its title has the rest

// Colours for paper, whatever the page's theme is.
const COLOURS: Record<string, string> = { returned: "#17713a", waiting: "#9a5b00", blocked: "#b42318", failed: "#b42318" };
const ARROWS: Record<Arrow["kind"], string> = {
  create: 'stroke="#1f5fbf"', message: 'stroke="#1f5fbf"', join: 'stroke="#17713a"',
  lock: 'stroke="#9a5b00" stroke-dasharray="6 2"', order: 'stroke="#667085" stroke-dasharray="4 3"',
};

const escape = (t: string) => t.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const cut = (t: string) => (t.length > MOST_LETTERS ? t.slice(0, MOST_LETTERS - 1) + "…" : t);

interface Paper {
  execution: Execution;
  lanes: Lanes;
  box: number; // the width of all boxes
  x(agent: number): number; // where the lane of an agent begins
  y(row: number): number;
}

function box(paper: Paper, agent: number, row: number, text: string, frame: string, colour = "#1c2330"): string {
  const x = paper.x(agent);
  const y = paper.y(row);
  return `<g><title>${escape(text)}</title><rect x="${x}" y="${y}" width="${paper.box}" height="22" rx="4" ${frame}/>` +
    `<text x="${x + 6}" y="${y + 15}" fill="${colour}">${escape(cut(text))}</text></g>`;
}

function stepBox(paper: Paper, i: number, critical: number | undefined): string {
  const s = paper.execution.steps[i]!;
  const sequence = paper.execution.sequence?.[i];
  const fate = sequence && fates[sequence.then];
  const plain = isResponsible(paper.execution, i) ? 'stroke="#b42318" stroke-width="2"' : 'stroke="#8a97ab"';
  const frame = i === critical ? 'fill="#fdf0d9" stroke="#9a5b00" stroke-width="2"' : `fill="#eef2f8" ${plain}`;
  const number = `<text x="${LEFT - 8}" y="${paper.y(i) + 15}" text-anchor="end">${i === critical ? "⚠" : s.preempts ? "*" : ""}${i + 1}</text>`;
  return number + box(paper, s.agent, i, signedText(paper.execution, paper.lanes, i), frame, fate && COLOURS[fate.kind]);
}

function signedText(execution: Execution, lanes: Lanes, i: number): string {
  const fate = fates[execution.sequence?.[i]?.then ?? ""];
  return (fate ? fate.sign + " " : "") + boxText(execution, lanes, i);
}

const endText = (row: EndRow) => (row.kind === "waits" ? "■ " : "✗ ") + row.text;
const headText = (lane: Lane) => (lane.node ? `${lane.node}/${lane.name}` : lane.name);

// All boxes are as wide as the longest text needs.
function boxWidth(execution: Execution, lanes: Lanes): number {
  const texts = [...execution.steps.map((_, i) => signedText(execution, lanes, i)), ...endRows(execution).map(endText), ...lanes.lanes.map(headText)];
  const longest = texts.reduce((most, text) => Math.max(most, text.length), 16);
  return Math.round(Math.min(longest, MOST_LETTERS) * LETTER) + 16;
}

function heads({ execution, lanes, box: width }: Paper): string {
  const deadlocked = deadlockedLanes(execution, lanes);
  return lanes.lanes.map((lane, i) => {
    const x = LEFT + i * (width + GAP);
    const frame = deadlocked.has(i) ? `<rect x="${x}" y="6" width="${width}" height="22" rx="4" fill="none" stroke="#b42318" stroke-width="2"/>` : "";
    return `${frame}<text x="${x + 6}" y="21" font-weight="bold">${escape(cut(headText(lane)))}</text>`;
  }).join("");
}

function arrow({ execution, x, y, box: width }: Paper, a: Arrow): string {
  const from = x(execution.steps[a.from]!.agent);
  const to = x(execution.steps[a.to]!.agent);
  const right = to > from;
  const y1 = y(a.from) + 11;
  const y2 = y(a.to) + 11;
  const path = to === from ? `M${from} ${y1} C${from - 18} ${y1} ${from - 18} ${y2} ${to} ${y2}`
    : `M${from + (right ? width : 0)} ${y1} L${to + (right ? 0 : width)} ${y2}`;
  return `<path d="${path}" ${ARROWS[a.kind]} fill="none" marker-end="url(#t)"/>`;
}

export interface DiagramMarks {
  order: boolean; // happens-before
  critical?: number;
}

export function diagramSvg(execution: Execution, marks: DiagramMarks): string {
  const lanes = lanesOf(execution);
  const column = boxWidth(execution, lanes) + GAP;
  const paper: Paper = { execution, lanes, box: column - GAP, x: (agent) => LEFT + (lanes.laneOf[agent] ?? 0) * column, y: (row) => TOP + row * ROW };
  const count = execution.steps.length;
  const ends = endRows(execution);
  const content = [
    heads(paper),
    ...arrowsOf(execution, lanes, marks.order).map((a) => arrow(paper, a)), // behind the boxes
    ...execution.steps.map((_, i) => stepBox(paper, i, marks.critical)),
    ...ends.map((row, i) => box(paper, row.agent, count + i, endText(row), 'fill="#fde7e5" stroke="#b42318" stroke-dasharray="4 3"', "#b42318")),
  ];
  const width = LEFT + lanes.lanes.length * column + 6;
  const height = TOP + (count + ends.length) * ROW + 8;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="12">` +
    `<defs><marker id="t" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#1f5fbf"/></marker></defs>` +
    `<rect width="100%" height="100%" fill="#fff"/>${content.join("")}</svg>`;
}

// Browsers draw no picture that is longer than this.
const MOST_PIXELS = 16000;

// How many pixels a picture has for each of the diagram's; undefined if it would be too long to be read.
export function pictureScale(width: number, height: number): number | undefined {
  const scale = Math.min(2, MOST_PIXELS / Math.max(width, height));
  return scale >= 0.5 ? scale : undefined;
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
  const view = element.viewBox.baseVal;
  copy.setAttribute("width", String(view.width));
  copy.setAttribute("height", String(view.height));
  return new XMLSerializer().serializeToString(copy);
}

function save(name: string, url: string) {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}

// False if there can be no such picture.
export function saveDiagram(name: string, svg: string, kind: "svg" | "png"): boolean {
  const file = `${name.replaceAll("/", "-")}.${kind}`;
  if (kind === "svg") {
    const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    save(file, url);
    URL.revokeObjectURL(url);
    return true;
  }
  const [width, height] = [/ width="([\d.]+)"/, / height="([\d.]+)"/].map((size) => Number(size.exec(svg)?.[1])) as [number, number];
  const scale = pictureScale(width, height);
  if (scale === undefined) return false;
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    save(file, canvas.toDataURL("image/png"));
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
  return true;
}
