import { expect, test } from "vitest";
import { isErasure } from "#core/write/erasures.ts";
import { COMPANY_ERASURES } from "../../src/wiring/erasures.ts";
import { COMPANY_FILES } from "../../src/wiring/files.ts";
import { sources } from "./sources.ts";

const code = sources().filter(({ path }) => /^src\/(?:features|wiring|core)\/.*\.tsx?$/.test(path));
const found = (pattern: RegExp) =>
  code.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name = ""]) => name));

test("every action that erases for good is reported to the control database, and done again after a restore", () => {
  const actions = COMPANY_ERASURES.map(({ action }) => action);
  expect(actions.filter((action) => !isErasure(action))).toEqual([]);
  const audited = found(/auditEach\(\s*ctx,\s*"(erase\w+)"/g);
  expect(audited.length).toBeGreaterThan(2);
  expect(audited.filter((action) => !actions.includes(action))).toEqual([]);
  const declared = found(/: Erasure = \{\s*action: "(\w+)"/g);
  expect(actions.toSorted()).toEqual(declared.toSorted());
});

test("every folder that records hold files of is in the list that backups go through", () => {
  const used = new Set(found(/(?:withFile\(\s*\w+,|ctx\.files\(|sweepFolder\(\s*ctx,)\s*([A-Z]+)\b/g));
  const named = found(/: KeptFiles = \{\s*folder: ([A-Z]+),/g);
  expect(used.size).toBe(3);
  expect([...used].toSorted()).toEqual(named.toSorted());
  expect(COMPANY_FILES).toHaveLength(named.length);
});
