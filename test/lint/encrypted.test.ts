import { globSync } from "node:fs";
import { join } from "node:path";
import { getTableColumns, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { columnName } from "#core/secrets/re-encrypt.ts";
import type { SecretKind } from "#core/secrets/secret-kind.ts";
import { CONTROL_SECRET_KINDS } from "#tenancy/secret-kinds.ts";
import { COMPANY_SECRET_KINDS } from "../../src/wiring/secret-kinds.ts";
import { sources } from "./sources.ts";

const ROOT = join(import.meta.dirname, "../..");
const LISTED: readonly SecretKind[] = [...CONTROL_SECRET_KINDS, ...COMPANY_SECRET_KINDS];
const SECRET = /seal|secret|token|credential|password|private/i;
// Hashes, public parts, and tokens that are handed out to be read: what a change of the master key does not touch.
const UNENCRYPTED =
  /_hash$|_last_four$|_(?:expires|renewed)_at$|_hint$|^(?:invoices|credit_notes|bookings)\.public_token$/;
const OPENERS = [
  "src/tenancy/secret-kinds.ts",
  "src/api/call-context.ts",
  "src/core/secrets/open-some.ts",
  "src/core/secrets/re-encrypt.ts",
  "src/core/secrets/encryption.ts",
];

const code = sources().filter(({ path }) => /^src\/.*\.tsx?$/.test(path));

test("every kind of encrypted secret is in the list that the change of the master key goes through", () => {
  const declared = code
    .filter(({ path }) => path !== "src/core/secrets/secret-kind.ts")
    .flatMap(({ text }) => [...text.matchAll(/\bsecretKind\(\s*"([^"]*)"/g)].map(([, field]) => field));
  expect(declared.length).toBe(code.flatMap(({ text }) => text.match(/= secretKind\(/g) ?? []).length);
  expect(declared.toSorted()).toEqual(LISTED.map(({ field }) => field).toSorted());
});

test("secrets are encrypted by their kind: no other file imports encrypt or decrypt", () => {
  const users = code.filter(({ text }) =>
    /import (?:type )?\{[^}]*\b(?:encrypt|decrypt)\b[^}]*\} from "[^"]*\/encryption\.ts"/.test(text),
  );
  expect(users.map(({ path }) => path).filter((path) => !OPENERS.includes(path))).toEqual([]);
  expect(users.length).toBeGreaterThan(0);
});

test("every column named like a secret is encrypted and in the list, or holds none", async () => {
  const listed = new Set(LISTED.flatMap(({ columns }) => columns.map(columnName)));
  const columns = new Set<string>();
  for (const path of globSync("build/tables/**/*.ts")) {
    const exported: Record<string, unknown> = await import(join(ROOT, path));
    for (const table of Object.values(exported))
      if (is(table, SQLiteTable))
        for (const { name } of Object.values(getTableColumns(table)))
          columns.add(`${getTableConfig(table).name}.${name}`);
  }
  const telling = [...columns].filter(
    (name) => SECRET.test(name.replace(/^\w+\./, "")) && !UNENCRYPTED.test(name),
  );
  expect(telling.filter((name) => !listed.has(name))).toEqual([]);
  expect(telling.length).toBeGreaterThan(5);
});
