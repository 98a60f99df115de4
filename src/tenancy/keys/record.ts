import * as z from "zod";
import type { Scope } from "#api/operations/scopes.ts";
import { added, dateTime, described, from, internal, json, nullable } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { apiKeys } from "#tables/tenancy";
import type { ControlCtx } from "../context.ts";
import { openSecret } from "./issued-secret.ts";
import { PUBLISHABLE_RIGHTS } from "./rights.ts";
import { type KeyCreate, scopes } from "./schema.ts";

/** A key as reads show it. */
export const key = record(
  apiKeys,
  {
    id: from(apiKeys.clientId, internal<string>()),
    client_id: added(z.string().describe("Sent as `X-Client-Id`."), ({ id }: { id: string }) => id),
    type: z.enum(["secret", "publishable"]).describe("A publishable key is for browsers."),
    name: z.string().describe("For people: what the key is for."),
    scopes: json(scopes),
    rights: added(
      scopes.describe("What the key may do: its scopes, or the fixed rights of a publishable key."),
      ({ type, scopes: own }: Pick<KeyCreate, "type"> & { scopes: Scope[] }) =>
        type === "publishable" ? [...PUBLISHABLE_RIGHTS] : own,
    ),
    allowed_origins: json(z.array(z.string()).describe("Normalised: lower case, no path, no default port.")),
    secret_last_four: internal<string | null>(),
    secret: added(
      z
        .object({ configured: z.boolean(), last_four: z.string() })
        .nullable()
        .meta({ description: "Null for a publishable key, which has none." }),
      ({ secret_last_four: lastFour }: { secret_last_four: string | null }) =>
        lastFour === null ? null : { configured: true, last_four: lastFour },
    ),
    previous_secret_expires_at: described(
      nullable(dateTime),
      "Until when the secret before the last rotation works.",
    ),
    rate_limit_per_minute: z.int().meta({ description: "Calls in any 60 seconds." }),
    messaging_rate_per_minute: z.int().meta({ description: "Messages in any 60 seconds." }),
    messaging_daily_cap: z.int().meta({ description: "Messages in one day of the company's time zone." }),
    expires_at: described(nullable(dateTime), "Null: never."),
    last_used_at: described(nullable(dateTime), "To the hour."),
    created_at: dateTime,
    updated_at: dateTime,
  },
  "Key",
);
export type KeyRow = RowOf<typeof key>;
/** A key row with its fresh secret: encrypted, because the row is kept for a day to answer retries. */
export type IssuedKeyRow = KeyRow & { company?: string; sealed_secret?: string | null };

/** A key just made or rotated: the only answer that shows its secret. */
export const IssuedKey = key.schema
  .extend({
    client_secret: z.string().nullable().meta({
      description:
        "Sent as `X-Client-Secret`; shown only now. Null for a publishable key, and once an administrator's key was used.",
    }),
  })
  .meta({ id: "IssuedKey" });

/** Renders a key just made or rotated, with its secret. */
export async function renderIssuedKey(issued: IssuedKeyRow, ctx: ControlCtx) {
  const { company = ctx.company.slug, sealed_secret: encrypted, ...row } = issued;
  return { ...key.render(row), client_secret: await openSecret(ctx, company, row.id, encrypted) };
}
