import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { useFolder } from "#test/folder.ts";
import { buildWorker } from "#test/worker.ts";

const ROOT = join(import.meta.dirname, "../..");

const bundle = await buildWorker(useFolder()("worker"));

/** All that a deployment does before it uploads. */
function deploy() {
  const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  const config = ["--config", join(ROOT, "wrangler.toml")];
  const words = [wrangler, "deploy", join(bundle, "worker.js"), ...config, "--dry-run"];
  return promisify(execFile)(process.execPath, words, { cwd: ROOT });
}

test("a deployment takes the source map of each module, and fails where one is missing", async () => {
  expect((await deploy()).stdout).toContain("--dry-run: exiting now.");
  await rm(join(bundle, "worker.js.map"));
  await expect(deploy()).rejects.toMatchObject({ message: expect.stringContaining("worker.js.map") });
});
