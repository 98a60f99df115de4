import { currentTexts } from "#tenancy/migrations/migrated-database.ts";
import { lackingOf, schemaNumberOf } from "#tenancy/migrations/missing-and-changed.ts";
import { appliedIn } from "../dump/dump.ts";
import type { Stream } from "./stream.ts";

/** Applies the migrations that came since a backup, in its restore's transaction: what follows knows this schema alone. */
export async function applyMissing(stream: Stream): Promise<void> {
  const texts = currentTexts("company");
  const schemaNumber = BigInt(schemaNumberOf(texts));
  const applied = Object.entries(await appliedIn(stream)).map(([name, sha256]) => ({ name, sha256 }));
  const { missing } = lackingOf(texts, applied);
  for (const { name, sha256, sql } of texts.filter((text) => missing.includes(text.name))) {
    await stream.all("INSERT INTO migrations (name, sha256, schema_number, applied_at) VALUES (?, ?, ?, ?)", [
      name,
      sha256,
      schemaNumber,
      BigInt(Date.now()),
    ]);
    await stream.script(sql);
  }
}
