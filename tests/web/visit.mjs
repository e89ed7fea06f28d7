// A visit to the page of `sennit ui` in Debian's Chromium. Scripts are called with SENNIT EXAMPLES WORK.
import { chromium } from "playwright-core";
import { spawn } from "node:child_process";

export const [sennit, examples, work] = process.argv.slice(2);
const limit = 120000; // the machine may be busy; nothing is asserted about time

// A server of `sennit ui` in the directory, with these words: its process and the address it prints.
export function serve(...words) {
  const server = spawn(sennit, ["ui", ...words], { cwd: work, stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve) => server.stdout.once("data", (line) => resolve({ server, url: String(line).trim() })));
}

export function launch() {
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
}

// A page, the errors that its scripts throw, and what its policy has forbidden.
export async function openPage(browser, size = { width: 1600, height: 950 }) {
  const page = await browser.newPage({ viewport: size });
  const errors = [];
  page.setDefaultTimeout(limit);
  page.on("pageerror", (e) => errors.push(e.message));
  page.on("console", (said) => /Content Security Policy/.test(said.text()) && errors.push(said.text()));
  return { page, errors };
}
