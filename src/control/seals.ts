import { sql } from "drizzle-orm";
import { open, seal } from "#platform/secrets/seal.ts";
import { type SealedKind, sealedKind, sealPlace } from "#platform/secrets/sealed-kind.ts";
import { operations } from "#platform/write/tables.ts";
import { companies } from "./tables.ts";

const remembered = { table: operations, id: operations.memoryKey, column: operations.snapshot };

const ofCompany = { table: companies, id: companies.id, company: companies.slug, key: sql`''` };

/** Tokens of a company's database and its spare one, which may change places. */
export const databaseTokens = sealedKind(
  "database_token",
  { ...ofCompany, column: companies.databaseToken },
  { ...ofCompany, column: companies.spareDatabaseToken },
);
/** Secrets of fresh keys in remembered answers: of operations that make a key, and of those that create a company. */
export const issuedSecrets = sealedKind(
  "secret of ",
  {
    ...remembered,
    path: "$.sealed_secret",
    company: sql`${operations.snapshot} ->> '$.company'`,
    key: sql`${operations.snapshot} ->> '$.id'`,
  },
  {
    ...remembered,
    path: "$.admin_key.sealed_secret",
    company: sql`${operations.snapshot} ->> '$.slug'`,
    key: sql`${operations.snapshot} ->> '$.admin_key.client_id'`,
  },
);

/** All that is sealed in the control database. */
export const CONTROL_SEALS: readonly SealedKind[] = [databaseTokens, issuedSecrets];

/** The master keys, current first. */
type Keys = { masterKeys: readonly string[] };

/** Seals a secret that the control database keeps for a company. */
export function sealFor(
  { masterKeys }: Keys,
  kind: SealedKind,
  company: string,
  key: string,
  secret: string,
) {
  return seal(masterKeys[0] ?? "", sealPlace(kind, company, key), secret);
}

/** Opens what `sealFor` sealed for the same company and key. */
export function openFor(
  { masterKeys }: Keys,
  kind: SealedKind,
  company: string,
  key: string,
  sealed: string,
) {
  return open(masterKeys, sealPlace(kind, company, key), sealed);
}
