import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MUTANTS } from "../mutants/mutants.ts";

test("each mutant can be made: its file has its words once, and the test that kills it is there", () => {
  const lost = MUTANTS.filter(({ file, from, killedBy }) => {
    const [path = ""] = killedBy.split(" ");
    return !existsSync(file) || readFileSync(file, "utf8").split(from).length !== 2 || !existsSync(path);
  });
  expect(lost).toEqual([]);
});
