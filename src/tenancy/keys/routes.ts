import { AuditEntry, renderAudit } from "#shared/audit-entry.ts";
import { ControlRouter } from "../control-router.ts";
import { listKeyAuditLog } from "./audit-log.ts";
import { createKey, listKeys, revokeKey, rotateKey, updateKey } from "./keys.ts";
import { IssuedKey, key, renderIssuedKey } from "./record.ts";
import { KeyCreate, KeyParams, KeyPatch, KeyRotate, RevokedKey } from "./schema.ts";

/** The company's own keys. */
export const keyRoutes = new ControlRouter("Settings: Keys", "/", { record: key, params: KeyParams })
  .all({ listKeys }, "/keys", { summary: "List the API keys" })
  .create({ createKey }, "/keys", {
    summary: "Make an API key",
    description:
      "The answer is the only one that shows `client_secret`; keep it. The calling key holds every scope that it gives; a publishable key has `bookings.read` and `bookings.write`. A key that ends gives no later end and no higher limit than its own; what is left out fits it.",
    body: KeyCreate,
    record: { schema: IssuedKey, render: renderIssuedKey },
    problems: ["above_own_key", "limit_reached"],
  })
  .patch({ updateKey }, "/keys/:client_id", {
    summary: "Change an API key",
    description:
      "The calling key holds every scope that the key has and gets, whatever is changed of it. A key that ends changes none with a later end or a higher limit than its own, and gives none.",
    body: KeyPatch,
    problems: ["above_own_key", "limit_reached"],
  })
  .post({ rotateKey }, "/keys/:client_id/rotate", {
    summary: "Give a key a new secret",
    description:
      "The old secret works on for `overlap_seconds`, so that servers can change over without an error. The calling key holds every scope of the key, whose secret it sees; one that ends rotates none with a later end or a higher limit.",
    body: KeyRotate,
    record: { schema: IssuedKey, render: renderIssuedKey },
    problems: ["above_own_key"],
  })
  .delete({ revokeKey }, "/keys/:client_id", {
    summary: "Revoke an API key",
    description:
      "It ends at once where the call arrives, and within 10 seconds everywhere. The calling key holds every scope of the key; one that ends revokes none with a later end or a higher limit. No key revokes itself: 409.",
    record: { schema: RevokedKey, render: (row) => ({ client_id: row.id, revoked: true as const }) },
    problems: ["above_own_key", "conflict"],
  })
  .list({ listKeyAuditLog }, "/audit-log/keys", {
    summary: "Read the audit log of the API keys",
    description: "Every change of the company's keys, newest first; `record` is a key's client id.",
    record: { schema: AuditEntry, render: renderAudit },
  });
