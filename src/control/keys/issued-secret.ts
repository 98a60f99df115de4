import { type SQL, sql } from "drizzle-orm";
import { removeFromAnswer } from "#platform/write/remembered-answer.ts";
import type { ControlCtx } from "../context.ts";
import { issuedSecrets, openFor, sealFor } from "../seals.ts";
import { apiKeys } from "../tables.ts";

/** Seals a key's fresh secret for the remembered answer of the operation that issued it: a retry is shown it again. */
export async function sealSecret(
  ctx: ControlCtx,
  company: string,
  clientId: string,
  secret: string | null,
): Promise<string | null> {
  return secret === null ? null : sealFor(ctx.plane.directory, issuedSecrets, company, clientId, secret);
}

/** The secret that was sealed; null where there was none, or it has been erased. */
export async function openSecret(
  ctx: ControlCtx,
  company: string,
  clientId: string,
  sealed: string | null | undefined,
): Promise<string | null> {
  return sealed == null ? null : openFor(ctx.plane.directory, issuedSecrets, company, clientId, sealed);
}

/** The statement that erases the sealed secret of a key that the operator issued: its holder has it by now. */
export function eraseSecret(clientId: string): SQL {
  const issuer = sql`SELECT ${apiKeys.issuedBy} FROM ${apiKeys} WHERE ${apiKeys.clientId} = ${clientId}`;
  return removeFromAnswer(issuer, ["$.sealed_secret", "$.admin_key.sealed_secret"]);
}
