import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { findChromium, HOW_TO_GET } from "../browser/chromium.ts";

it("npm test and the browser tests say how to get Chromium on a machine without it", () => {
  const env = { ...process.env, CHROMIUM: "/nowhere/chromium" };
  expect(findChromium(env)).toBeUndefined();
  const notice = spawnSync(process.execPath, ["test/browser/notice.ts"], { env, encoding: "utf8" });
  expect(notice.status).toBe(0);
  expect(notice.stdout).toContain("browser tests are apart and do not run");
  expect(notice.stdout).toContain(HOW_TO_GET);
  const setup = `import("./test/browser/require-chromium.ts").then(({ setup }) => setup())`;
  const run = spawnSync(process.execPath, ["-e", setup], { env, encoding: "utf8" });
  expect(run.status).not.toBe(0);
  expect(run.stderr).toContain("sudo apt-get install chromium");
});
