import { type SQL, sql } from "drizzle-orm";
import { apiKeys, companies } from "#tables/tenancy";
import { KEY_COLUMNS } from "#tenancy/registry-backup/copy-rows.ts";
import type { KeyCopy } from "#tenancy/registry-backup/schema.ts";

const LIMITS = {
  rate_limit_per_minute: "rate_limit_ceiling",
  messaging_rate_per_minute: "messaging_rate_ceiling",
  messaging_daily_cap: "messaging_cap_ceiling",
};

// What a key is from its beginning, and its end, which no later copy takes back.
const OWN = ["client_id", "type", "revoked_at", "created_at"];
const CHANGING = KEY_COLUMNS.filter((name) => !OWN.includes(name));

/** The statement that adds keys to a company, none of which any company has; their limits are within its ceilings. */
export function addKeys(companyId: number, keys: readonly KeyCopy[]): SQL {
  return sql`INSERT INTO ${apiKeys} (company_id, ${sql.raw(KEY_COLUMNS.join(", "))})
    SELECT ${companies.id}, ${sql.raw(KEY_COLUMNS.map(copiedValue).join(", "))}
    FROM ${companies}, json_each(${JSON.stringify(keys)}) copy WHERE ${companies.id} = ${companyId}`;
}

/** The statement that changes keys of a company to what later copies say; one that is revoked stays so. */
export function changeKeys(companyId: number, keys: readonly KeyCopy[]): SQL {
  const assigned = CHANGING.map((column) => `${column} = ${copiedValue(column)}`).join(", ");
  return sql`UPDATE ${apiKeys} SET ${sql.raw(assigned)},
      revoked_at = coalesce(api_keys.revoked_at, copy.value ->> '$.revoked_at')
    FROM ${companies}, json_each(${JSON.stringify(keys)}) copy
    WHERE companies.id = ${companyId} AND api_keys.company_id = ${companyId}
      AND api_keys.client_id = copy.value ->> '$.client_id' AND api_keys.type = copy.value ->> '$.type'`;
}

/** The statement that revokes keys of a company which its copies have as revoked. */
export function revokeKeys(companyId: number, keys: readonly KeyCopy[], now: number): SQL {
  const ids = JSON.stringify(keys.map((key) => key.client_id));
  return sql`UPDATE ${apiKeys} SET revoked_at = ${now}, updated_at = ${now}
    WHERE company_id = ${companyId} AND revoked_at IS NULL
      AND client_id IN (SELECT value FROM json_each(${ids}))`;
}

function copiedValue(column: string): string {
  const ceiling = LIMITS[column as keyof typeof LIMITS];
  const value = `copy.value ->> '$.${column}'`;
  return ceiling === undefined ? value : `min(${value}, companies.${ceiling})`;
}
