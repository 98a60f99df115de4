// Runs before the tests of `npm test`: the browser tests are counted apart, and this says so.
import { globSync } from "node:fs";
import { join } from "node:path";
import { findChromium, HOW_TO_GET } from "./chromium.ts";

const files = globSync("**/*.test.ts", { cwd: join(import.meta.dirname) }).length;
const path = findChromium();
const apart = `${files} files of browser tests are apart`;
const told =
  path === undefined ? `${apart} and do not run. ${HOW_TO_GET}` : `${apart}: npm run test:browser (${path})`;
process.stdout.write(`${told}\n`);
