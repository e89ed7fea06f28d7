// A module of the page as a test sees it.
import { build } from "esbuild";

export async function load(name) {
  const built = await build({ entryPoints: [`src/${name}`], bundle: true, format: "esm", write: false });
  return import("data:text/javascript;base64," + Buffer.from(built.outputFiles[0].text).toString("base64"));
}
