// A browser that asks nobody for anything, and what is seen in it.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The browser's program: `$CHROMIUM`, or the first of its names that is found. */
export function program() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of NAMES) {
    try {
      return execFileSync("which", [name], { encoding: "utf8" }).trim();
    } catch {
      // The next one.
    }
  }
  return undefined;
}

export function launch() {
  return chromium.launch({
    executablePath: program(),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/**
 * Opens a file in a window of its own. `seen` gathers what must stay empty: what the console says,
 * errors of scripts, and requests for anything but the file.
 */
export async function open(browser, file, options = {}) {
  if (!existsSync(file)) throw new Error(`no file ${file}`);
  const { hash = "", ...context } = options;
  const window = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...context });
  const page = await window.newPage();
  const address = pathToFileURL(file).href;
  const seen = [];
  page.on("console", (message) => seen.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => seen.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== address) seen.push(`request: ${request.url()}`);
  });
  page.on("dialog", (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.goto(address + hash);
  return { page, seen, close: () => window.close() };
}
