import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { findChromium } from "../browser/chromium.ts";

it("finds the browser that the variable names, or one of the usual places", () => {
  expect(findChromium({ CHROMIUM: process.execPath })).toBe(process.execPath);
  expect(findChromium({}, ["/nowhere", process.execPath])).toBe(process.execPath);
});

it("npm test leaves the browser tests out as a whole, and CI installs Chromium and runs them", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(scripts.test).not.toContain("--project browser");
  expect(scripts.test).toContain("--project unit --project process --project service --project worker");
  expect(scripts["test:browser"]).toContain("--project browser");
  const ci = readFileSync(".ci/run", "utf8");
  expect(ci).toMatch(/install_chromium; fi\n/);
  expect(ci).toMatch(/^npm run test:browser -- "\$\{report\[@\]\}" --outputFile="\$counts\/browser\.json"$/m);
});
