import { type SQL, sql } from "drizzle-orm";
import { secretPlace } from "#core/secrets/secret-kind.ts";
import { removeFromAnswer } from "#core/write/change-stored-answer.ts";
import { apiKeys } from "#tables/tenancy";
import type { ControlCtx } from "../context.ts";
import { decryptFor, encryptFor, issuedSecrets } from "../secret-kinds.ts";

/** Encrypts a key's new secret for the idempotency record of the operation that issued it: a retry shows it again. */
export async function encryptSecret(
  ctx: ControlCtx,
  company: string,
  clientId: string,
  secret: string | null,
): Promise<string | null> {
  const place = secretPlace(issuedSecrets, company, clientId);
  return secret === null ? null : encryptFor(ctx.plane.directory, place, secret);
}

/** The secret that was encrypted; null where there was none, or it has been erased. */
export async function openSecret(
  ctx: ControlCtx,
  company: string,
  clientId: string,
  encrypted: string | null | undefined,
): Promise<string | null> {
  const place = secretPlace(issuedSecrets, company, clientId);
  return encrypted == null ? null : decryptFor(ctx.plane.directory, place, encrypted);
}

/** The statement that erases the encrypted secret of a key that the operator issued: its holder has it by now. */
export function eraseSecret(clientId: string): SQL {
  const issuer = sql`SELECT ${apiKeys.issuedBy} FROM ${apiKeys} WHERE ${apiKeys.clientId} = ${clientId}`;
  return removeFromAnswer(issuer, ["$.sealed_secret", "$.admin_key.sealed_secret"]);
}
