// Builds the page: one HTML file with everything in it, at the path given as argument.
import { build } from "esbuild";
import { readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

const target = process.argv[2] ?? "dist/page.html";
const common = { bundle: true, minify: true, write: false, legalComments: "none", target: "es2022" };
const script = await build({
  ...common,
  entryPoints: ["src/main.tsx"],
  format: "iife",
  jsx: "automatic",
  jsxImportSource: "preact",
});
const style = await build({ ...common, entryPoints: ["src/style.css"] });
const code = script.outputFiles[0].text.replaceAll("</script", "<\\/script");
const page = readFileSync("src/page.html", "utf8")
  .replace("/*STYLE*/", () => style.outputFiles[0].text)
  .replace("/*SCRIPT*/", () => code);
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, page);
