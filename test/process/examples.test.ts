import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EXAMPLES_FILE } from "../support/examples.ts";
import { useFolder } from "../support/folder.ts";

const place = useFolder();

test("docs/examples.jsonl has what the demo companies answer now: `npm run examples` records it anew", () => {
  const file = place("examples.jsonl");
  const { TEST_CLOCK, TEST_CLOCK_OFFSET_MS, ...env } = process.env;
  const { status, stderr } = spawnSync("npm", ["run", "--silent", "examples", file], {
    encoding: "utf8",
    env,
  });
  expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
  const [now, recorded] = [file, EXAMPLES_FILE].map((path) => readFileSync(path, "utf8").split("\n"));
  expect(now).toEqual(recorded);
});
