import { sql } from "drizzle-orm";
import * as z from "zod";
import type { EncryptionCtx, ReadCtx } from "#core/context.ts";
import { added, dateTime, from, idText, internal, json, nullable } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { timestampOrNull } from "#shared/time/dates.ts";
import { eventEndpoints as endpoints, eventDeliveries } from "#tables/events";
import { endpointSecrets } from "./secret-kinds.ts";

type Disabled = { disabled_reason: string | null };
type OldSecret = { previous_secret_ends: number | null };

const pending = sql<number>`(SELECT count(*) FROM ${eventDeliveries}
  WHERE ${eventDeliveries.endpointId} = ${endpoints.id} AND ${eventDeliveries.state} IN ('pending', 'sending', 'held'))`;

/** An endpoint as reads show it. */
export const endpoint = record(
  endpoints,
  {
    id: idText,
    operation: internal<string>(),
    url: z.string(),
    description: z.string(),
    types: json(z.array(z.string()).describe("What it asked for: types, groups, or `*`.")),
    is_active: added(
      z.boolean().describe("Whether it is sent events."),
      ({ disabled_reason: reason }: Disabled) => reason === null,
    ),
    failing_since: internal<number | null>(),
    state: added(
      z.enum(["ok", "failing", "disabled"]).meta({
        description:
          "`failing`: the last five attempts failed, and three quarters of the last twenty. Then one event is tried at a time.",
      }),
      stateOf,
    ),
    disabled_reason: z.enum(["gone", "exhausted", "by_hand"]).nullable().meta({
      description:
        "`gone`: the endpoint answered 410. `exhausted`: ten attempts in a row failed, over 76 hours, or an event failed for good and the endpoint took no other event meanwhile. `by_hand`: a caller set `is_active` to false.",
    }),
    sealed_secret: internal<string>(),
    last_four: from(endpoints.secretLastFour, internal<string>()),
    secret: added(
      z.object({ configured: z.literal(true), last_four: z.string() }),
      ({ last_four }: { last_four: string }) => ({ configured: true as const, last_four }),
    ),
    previous_secret_ends: from(endpoints.previousSecretExpiresAt, internal<number | null>()),
    previous_secret_expires_at: added(
      dateTime.schema.nullable().describe("Until then, requests are also signed with the previous secret."),
      ({ previous_secret_ends: end }: OldSecret, { now }: ReadCtx) =>
        end !== null && end <= now ? null : timestampOrNull(end),
    ),
    last_success_at: nullable(dateTime),
    last_failure_at: nullable(dateTime),
    pending: from(pending, z.int().meta({ description: "The number of events that wait to be sent to it." })),
    created_at: dateTime,
    updated_at: dateTime,
  },
  "EventEndpoint",
);
export type EndpointRow = RowOf<typeof endpoint>;

/** The only answers that show the secret: of what made it. */
export const IssuedEndpoint = endpoint.schema
  .extend({
    secret: z.string().meta({
      description:
        "The secret that signs requests: `whsec_` and 32 bytes in base64. It is shown once. The same call with its `Idempotency-Key` shows it again for 24 hours; for that time the answer is stored encrypted.",
    }),
  })
  .meta({ id: "IssuedEventEndpoint" });

/** An endpoint just made or rotated. */
export async function renderIssuedEndpoint(row: EndpointRow, ctx: ReadCtx & EncryptionCtx) {
  const secret = await ctx.decrypt(endpointSecrets, row.operation, row.sealed_secret);
  return { ...endpoint.render(row, ctx), secret };
}

function stateOf({
  disabled_reason: reason,
  failing_since: since,
}: Disabled & { failing_since: number | null }) {
  if (reason !== null) return "disabled";
  return since === null ? "ok" : "failing";
}
