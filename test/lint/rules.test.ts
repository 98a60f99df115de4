import { describe, expect, it } from "vitest";
import { findViolations, type Rule, rules } from "./rules.ts";
import { sources } from "./sources.ts";

const tree = sources();
const placed = ({ at = "src/a.ts" }: Rule, samples: Rule["broken"]) =>
  samples.map((sample): [string, string] => (typeof sample === "string" ? [at, sample] : sample));

describe.each(rules)("$name", (rule) => {
  it.each(placed(rule, rule.broken))("is broken by a sample in %s", (path, text) => {
    expect(findViolations(rule, [{ path, text }])).not.toEqual([]);
  });

  it.each(placed(rule, rule.sound))("is kept by a sample in %s", (path, text) => {
    expect(findViolations(rule, [{ path, text }])).toEqual([]);
  });

  it("holds in the whole tree", () => {
    expect(findViolations(rule, tree)).toEqual([]);
  });
});

it("a violation names its file and line", () => {
  const rule = rules.find(({ name }) => name.startsWith("no interactive transaction"));
  const file = { path: "src/a.ts", text: "// a comment\n\n  db.transaction(() => {});\n" };
  expect(rule && findViolations(rule, [file])).toEqual(["src/a.ts:3"]);
});
