import type { Reader } from "../dump/values.ts";
import { keyMissingFor } from "./secret-kinds.ts";

/** Of the tokens of companies that are not closed: the keys that are not here, and whether any token opens. */
export async function tokenKeys(control: Reader): Promise<{ missing: string[]; someOpen: boolean }> {
  // One token of each key.
  const rows = await control.all(
    `SELECT min(database_token) FROM companies WHERE database_token IS NOT NULL AND closed_at IS NULL
    GROUP BY substr(database_token, 1, instr(substr(database_token, 4), '.') + 3)`,
  );
  const keys = rows.map(([token = null]) => keyMissingFor(String(token)));
  return {
    missing: keys.filter((key) => key !== undefined),
    someOpen: keys.length === 0 || keys.includes(undefined),
  };
}

/** A line for tokens whose key is not here. */
export function tokensSaid(key: string): string {
  return `Tokens of companies are encrypted with the master key ${key}, which is needed as MASTER_KEY or PREVIOUS_MASTER_KEY`;
}
