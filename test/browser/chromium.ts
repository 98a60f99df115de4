import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** What to do on a machine without Chromium. */
export const HOW_TO_GET = `The browser tests need Chromium, and none was found:
  Debian, Ubuntu   sudo apt-get install chromium
  macOS            brew install --cask chromium
  elsewhere        npx playwright-core install chromium
or set CHROMIUM to the path of one; then: npm run test:browser`;

/** The path of a Chromium: the variable's, one that is installed, or playwright's own. */
export function findChromium(env: NodeJS.ProcessEnv = process.env, places = PLACES): string | undefined {
  if (env.CHROMIUM) return existsSync(env.CHROMIUM) ? env.CHROMIUM : undefined;
  return [...places, chromium.executablePath()].find((path) => existsSync(path));
}

// The reference page alone takes ten seconds on a quiet machine, and others start their browsers beside it.
const PATIENCE_MS = 90_000;

/** Starts it; throws the words that say how to get one. */
export async function launch(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(HOW_TO_GET);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  browser.on("context", async (context) => {
    context.setDefaultTimeout(PATIENCE_MS);
    await context.addInitScript(process.env.TEST_CLOCK_SHIFT ?? "");
  });
  return browser;
}
