import { sql } from "drizzle-orm";
import type { EncryptionCtx, IdCtx, ReadCtx } from "#core/context.ts";
import { secretKind } from "#core/secrets/secret-kind.ts";
import { fromBase64Url } from "#shared/text/base64url.ts";
import { operations } from "#tables/core";
import { eventEndpoints } from "#tables/events";
import type { AddressedEndpoint } from "./addressed.ts";

const row = { table: eventEndpoints, id: eventEndpoints.id, key: eventEndpoints.operation };
/** What an endpoint's requests are signed with. */
export const endpointSecrets = secretKind(
  "secret of event endpoint ",
  { ...row, column: eventEndpoints.encryptedSecret },
  { ...row, column: eventEndpoints.previousEncryptedSecret },
  // The remembered answers of what made or changed an endpoint.
  {
    table: operations,
    id: operations.idempotencyRecordKey,
    column: operations.snapshot,
    path: "$.sealed_secret",
    key: sql`${operations.snapshot} ->> '$.operation'`,
  },
);

/** A fresh secret, as Standard Webhooks has it: `whsec_` and 32 random bytes in base64. */
export function newSecret(ctx: IdCtx): string {
  return `whsec_${fromBase64Url(ctx.newToken()).toBase64()}`;
}

/** The secrets that a request is signed with now: the newest first, and the one before while it still counts. */
export function signingSecrets(ctx: ReadCtx & EncryptionCtx, endpoint: AddressedEndpoint): Promise<string[]> {
  const { previous_sealed_secret: previous, previous_secret_expires_at: expiresAt } = endpoint;
  const counts = previous !== null && expiresAt !== null && expiresAt > ctx.now;
  const encrypted = [endpoint.sealed_secret, ...(counts ? [previous] : [])];
  return Promise.all(encrypted.map((secret) => ctx.decrypt(endpointSecrets, endpoint.operation, secret)));
}
