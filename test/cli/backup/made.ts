import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { readerOf } from "#cli/backup/dump/sqlite.ts";
import type { Reader } from "#cli/backup/dump/values.ts";
import { type Header, MARK, type Source, sumOf } from "#cli/backup/file/header.ts";
import { migratedDatabase } from "#tenancy/migrations/migrated-database.ts";

export const SOURCE = {
  control: false,
  company: {
    slug: "asha-traders",
    name: "Asha Traders",
    country: "IN",
    currency: "INR",
    timezone: "Asia/Kolkata",
  },
} as const satisfies Source;

/** A database as its migrations make it, with the customers of these names. */
export function madeDatabase(kind: "company" | "control", names: readonly string[] = []): Reader {
  const database = migratedDatabase(kind);
  for (const [at, name] of names.entries())
    database
      .prepare(
        `INSERT INTO customers (operation, name, gst_category, state, pincode, country, currency, created_at, updated_at)
        VALUES (?, ?, 'unregistered', 'Karnataka', '560001', 'IN', 'INR', 0, 0)`,
      )
      .run(`made ${at}`, name);
  return readerOf(database);
}

/** The same backup with other SQL and another header, and with sums that fit, as a forger can make it. */
export function crafted(
  file: Buffer,
  change: (sql: string) => string,
  say: (header: Omit<Header, "sha256">) => object = (header) => header,
): Buffer {
  const text = gunzipSync(file).toString();
  const end = text.indexOf("\n");
  const { sha256: _, ...header } = JSON.parse(text.slice(MARK.length, end)) as Header;
  const rest = Buffer.from(text.slice(end + 1));
  const sql = change(rest.subarray(0, header.sql.bytes).toString());
  const sum = { bytes: Buffer.byteLength(sql), sha256: createHash("sha256").update(sql).digest("hex") };
  return withHeader(say({ ...header, sql: sum }), sql + rest.subarray(header.sql.bytes).toString());
}

/** A backup of this header, which may be none. */
export function withHeader(said: object, sql = ""): Buffer {
  return gzipSync(`${MARK}${JSON.stringify({ ...said, sha256: sumOf(said) })}\n${sql}`);
}
