import { desc, isNotNull } from "drizzle-orm";
import type { Database, Query } from "#core/database/database.ts";
import { encryptedBy, tryDecrypt } from "./encryption.ts";
import { columnName } from "./re-encrypt.ts";
import { type SecretKind, secretPlace } from "./secret-kind.ts";

/** Encrypted values of a column: how many were tried, how many did not open, and the ids of the keys that those name. */
export type Opened = { column: string; tried: number; unopened: number; keys: string[] };

const MOST_OF_COLUMN = 20;

type Row = { key: string | null; encrypted: string | null };
type Opener = {
  database: Database;
  kinds: readonly SecretKind[];
  masterKeys: readonly string[];
  company: string;
};

/**
 * Tries to open the newest encrypted values of each column of a company's database, in one read. Remembered answers are
 * left out: their kinds have columns of their own too.
 */
export async function openSome({ database, kinds, masterKeys, company }: Opener): Promise<Opened[]> {
  const places = kinds.flatMap((kind) =>
    kind.columns.filter(({ path }) => path === undefined).map((column) => ({ kind, column })),
  );
  const [first, ...others] = places.map(
    ({ column: { table, id, key, column } }) =>
      database.build
        .select({ key, encrypted: column })
        .from(table)
        .where(isNotNull(column))
        .orderBy(desc(id))
        .limit(MOST_OF_COLUMN) as Query,
  );
  if (first === undefined) return [];
  const found = (await database.read([first, ...others])) as readonly Row[][];
  return Promise.all(
    places.map(async ({ kind, column }, at) => {
      const rows = found[at] ?? [];
      const keys = await Promise.all(
        rows.map(async ({ key, encrypted }) => {
          const secret = await tryDecrypt(masterKeys, secretPlace(kind, company, key ?? ""), encrypted ?? "");
          return secret === undefined ? [encryptedBy(encrypted ?? "") ?? ""] : [];
        }),
      );
      const unopened = keys.flat();
      return {
        column: columnName(column),
        tried: rows.length,
        unopened: unopened.length,
        keys: [...new Set(unopened)],
      };
    }),
  );
}
