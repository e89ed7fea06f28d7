// The editor: highlighting for C and ABS, problems underlined while one types.
import { useEffect, useRef } from "preact/hooks";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { EditorView, GutterMarker, drawSelection, gutter, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { cpp } from "@codemirror/lang-cpp";
import { linter, lintGutter } from "@codemirror/lint";
import { tags } from "@lezer/highlight";
import { api } from "./api.ts";
import { markOf, type LineCoverage, type Mark } from "./coverage.ts";

const abs = StreamLanguage.define<{ comment: boolean }>({
  startState: () => ({ comment: false }),
  token(stream, state) {
    if (state.comment || stream.match("/*")) {
      state.comment = !stream.match(/^.*?\*\//);
      if (state.comment) stream.skipToEnd();
      return "comment";
    }
    if (stream.match(/^\/\/.*/)) return "lineComment";
    if (stream.match(/^"([^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^[0-9]+/)) return "number";
    if (stream.match(/^(module|import|export|from|interface|class|implements|extends|data|type|def|builtin|case|let|in|if|then|else|while|foreach|return|new|local|await|suspend|skip|assert|get|this|null|try|catch|finally|throw|exception|switch|when|die)\b/)) return "keyword";
    if (stream.match(/^[A-Z][A-Za-z0-9_]*/)) return "typeName";
    if (stream.match(/^[a-z_][A-Za-z0-9_]*/)) return "variableName";
    stream.next();
    return null;
  },
});

// ---- Coverage in the margin -----------------------------------------------------------------

class CoverageMark extends GutterMarker {
  constructor(readonly mark: Mark) {
    super();
  }
  override eq(other: CoverageMark) {
    return other.mark.words === this.mark.words;
  }
  override toDOM() {
    const element = document.createElement("span");
    element.className = this.mark.kind;
    element.textContent = this.mark.sign;
    element.title = this.mark.words;
    return element;
  }
}

const setCoverage = StateEffect.define<Map<number, LineCoverage> | undefined>();

// What was measured does not belong to a text that has been edited since.
const coverageField = StateField.define<Map<number, LineCoverage> | undefined>({
  create: () => undefined,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setCoverage)) return effect.value;
    return transaction.docChanged ? undefined : value;
  },
});

const coverageGutter = gutter({
  class: "cm-coverage",
  lineMarker(view, line) {
    const known = view.state.field(coverageField)?.get(view.state.doc.lineAt(line.from).number);
    return known ? new CoverageMark(markOf(known)) : null;
  },
  lineMarkerChange: (update) => update.startState.field(coverageField) !== update.state.field(coverageField),
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--keyword)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--comment)" },
  { tag: tags.string, color: "var(--string)" },
  { tag: tags.number, color: "var(--number)" },
  { tag: tags.typeName, color: "var(--type)" },
  { tag: [tags.processingInstruction, tags.meta], color: "var(--comment)" },
]);

const languageOf = (name: string) => (name.endsWith(".abs") ? abs : /\.[ch]$/.test(name) ? cpp() : []);

interface EditorProps {
  name: string;
  text: string;
  coverage?: Map<number, LineCoverage>;
  line?: { number: number };
  onChange(text: string): void;
  onSave(): void;
}

export function Editor({ name, text, coverage, line, onChange, onSave }: EditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const latest = useRef({ onChange, onSave });
  latest.current = { onChange, onSave };
  useEffect(() => {
    const view = (editor.current = new EditorView({
      parent: box.current!,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(), history(), drawSelection(), highlightActiveLine(), bracketMatching(), lintGutter(), coverageField, coverageGutter,
          keymap.of([{ key: "Mod-s", run: () => (latest.current.onSave(), true) }, indentWithTab, ...defaultKeymap, ...historyKeymap]),
          languageOf(name), syntaxHighlighting(colours),
          EditorView.cspNonce.of(document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? ""),
          EditorView.contentAttributes.of({ "aria-label": name }),
          EditorView.updateListener.of((update) => update.docChanged && latest.current.onChange(update.state.doc.toString())),
          linter(async (v) => {
            const { problems } = await api.check(name, v.state.doc.toString());
            return problems.filter((p) => p.line >= 1 && p.line <= v.state.doc.lines).map((p) => {
              const at = v.state.doc.line(p.line);
              const from = Math.min(at.to, at.from + p.column - 1);
              return { from, to: Math.max(from, at.to), severity: /warning/.test(p.message) ? "warning" as const : "error" as const, message: p.message };
            });
          }, { delay: 600 }),
        ],
      }),
    }));
    return () => view.destroy();
  }, [name]);
  useEffect(() => editor.current?.dispatch({ effects: setCoverage.of(coverage) }), [name, coverage]);
  useEffect(() => {
    const view = editor.current;
    if (!view || !line || line.number > view.state.doc.lines) return;
    const from = view.state.doc.line(line.number).from;
    view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
  }, [line]);
  return <div class="editor" ref={box} />;
}
