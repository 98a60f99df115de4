import { sql } from "drizzle-orm";
import { decrypt, encrypt, type SecretPlace, tryDecrypt } from "#core/secrets/encryption.ts";
import { type SecretKind, secretKind, secretPlace } from "#core/secrets/secret-kind.ts";
import { operations } from "#tables/core";
import { companies } from "#tables/tenancy";

const remembered = { table: operations, id: operations.idempotencyRecordKey, column: operations.snapshot };

const ofCompany = { table: companies, id: companies.id, company: companies.slug, key: sql`''` };

/** Tokens of a company's database and its spare one, which may change places. */
const databaseTokens = secretKind(
  "database_token",
  { ...ofCompany, column: companies.databaseToken },
  { ...ofCompany, column: companies.spareDatabaseToken },
);
/** Secrets of fresh keys in remembered answers: of operations that make a key, and of those that create a company. */
export const issuedSecrets = secretKind(
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

/** All that is encrypted in the control database. */
export const CONTROL_SECRET_KINDS: readonly SecretKind[] = [databaseTokens, issuedSecrets];

/** Where the token of a company's database belongs. */
export function tokenPlace(slug: string): SecretPlace {
  return secretPlace(databaseTokens, slug, "");
}

/** The master keys, current first. */
type Keys = { masterKeys: readonly string[] };

/** Encrypts a secret that the control database keeps for a company. */
export function encryptFor({ masterKeys }: Keys, place: SecretPlace, secret: string) {
  return encrypt(masterKeys[0] ?? "", place, secret);
}

/** Opens what `encryptFor` encrypted for the same place. Throws 503 `no_key_opens` where it does not open. */
export function decryptFor({ masterKeys }: Keys, place: SecretPlace, encrypted: string) {
  return decrypt(masterKeys, place, encrypted);
}

/** The same, to find out whether it opens: undefined where it does not. */
export function tryDecryptFor({ masterKeys }: Keys, place: SecretPlace, encrypted: string) {
  return tryDecrypt(masterKeys, place, encrypted);
}
