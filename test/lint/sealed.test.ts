import { join } from "node:path";
import { getTableColumns, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { CONTROL_SEALS } from "#control/seals.ts";
import { columnName } from "#platform/secrets/reseal.ts";
import type { SealedKind } from "#platform/secrets/sealed-kind.ts";
import { COMPANY_SEALS } from "../../src/mount/seals.ts";
import { sources } from "./sources.ts";

const ROOT = join(import.meta.dirname, "../..");
const LISTED: readonly SealedKind[] = [...CONTROL_SEALS, ...COMPANY_SEALS];
const SECRET = /seal|secret|token|credential|password|private/i;
// Hashes, public parts, and tokens that are handed out to be read: what a change of the master key does not touch.
const UNSEALED = /_hash$|_last_four$|_expires_at$|_hint$|^(?:invoices|bookings)\.public_token$/;
const OPENERS = [
  "src/control/seals.ts",
  "src/http/call-context.ts",
  "src/platform/secrets/reseal.ts",
  "src/platform/secrets/seal.ts",
];

const code = sources().filter(({ path }) => /^src\/.*\.tsx?$/.test(path));

test("every kind of sealed secret is in the list that the change of the master key goes through", () => {
  const declared = code
    .filter(({ path }) => path !== "src/platform/secrets/sealed-kind.ts")
    .flatMap(({ text }) => [...text.matchAll(/\bsealedKind\(\s*"([^"]*)"/g)].map(([, field]) => field));
  expect(declared.length).toBe(code.flatMap(({ text }) => text.match(/= sealedKind\(/g) ?? []).length);
  expect(declared.toSorted()).toEqual(LISTED.map(({ field }) => field).toSorted());
});

test("secrets are sealed by their kind: nothing else takes hold of the seal itself", () => {
  const users = code.filter(({ text }) =>
    /import (?:type )?\{[^}]*\b(?:seal|open)\b[^}]*\} from "[^"]*\/seal\.ts"/.test(text),
  );
  expect(users.map(({ path }) => path).filter((path) => !OPENERS.includes(path))).toEqual([]);
  expect(users.length).toBeGreaterThan(0);
});

test("every column whose name tells of a secret is sealed and in the list, or holds none", async () => {
  const listed = new Set(LISTED.flatMap(({ columns }) => columns.map(columnName)));
  const files = code.map(({ path }) => path).filter((path) => /\/tables\.ts$/.test(path));
  const columns = new Set<string>();
  for (const path of files) {
    const exported: Record<string, unknown> = await import(join(ROOT, path));
    for (const table of Object.values(exported))
      if (is(table, SQLiteTable))
        for (const { name } of Object.values(getTableColumns(table)))
          columns.add(`${getTableConfig(table).name}.${name}`);
  }
  const telling = [...columns].filter(
    (name) => SECRET.test(name.replace(/^\w+\./, "")) && !UNSEALED.test(name),
  );
  expect(telling.filter((name) => !listed.has(name))).toEqual([]);
  expect(telling.length).toBeGreaterThan(5);
});
