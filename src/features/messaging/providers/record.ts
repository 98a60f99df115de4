import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { resource } from "#api/operations/resource.ts";
import type { EncryptionCtx, OutsideCtx, ReadCtx } from "#core/context.ts";
import {
  added,
  dateTime,
  described,
  flag,
  idText,
  internal,
  json,
  nullable,
  rendered,
} from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { lastFour } from "#shared/text/last-four.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { messageRecipients, messages, messagingProviders } from "#tables/messaging";
import { CHANNELS } from "../messages/schema.ts";
import { messageIdAt } from "../timed-ids.ts";
import { callbackUrl, hiddenCallbackUrl } from "./callback-address.ts";
import { config } from "./schema.ts";

type Refused = { code: string; message: string; provider_code: string | null; at: number };
const COUNTED_MS = 7 * DAY_MS;
type RenderCtx = ReadCtx & EncryptionCtx & OutsideCtx;

const lastError = z.object({
  code: z.string(),
  message: z.string(),
  provider_code: z.string().nullable(),
  at: dateTime.schema,
});

/** A provider; its configuration as a read shows it. */
export const provider = record(
  messagingProviders,
  {
    id: idText,
    operation: internal<string>(),
    channel: z.enum(CHANNELS),
    kind: z.string(),
    config: json(
      config.meta({
        description: "For a secret, only `configured` and its `last_four`.",
        examples: [{ default_sender_id: "DEMOTR", auth_key: { configured: true, last_four: "c9f1" } }],
      }),
    ),
    sealed_token: internal<string>(),
    is_active: flag,
    is_default: described(flag, "Whether it is taken where a call names none."),
    status: added(
      z.enum(["active", "paused", "inactive"]).meta({
        description:
          "`paused`: the provider refused its credentials (`last_error`). Its messages wait, at most a day, until you change `config` or send `is_active` as true.",
      }),
      statusOf,
    ),
    paused_at: described(nullable(dateTime), "Since when it is paused; null while it works."),
    callback_url: added(
      z.string().meta({
        description:
          "The address that the provider sends delivery reports to. Only the answer that creates or rotates it has the whole address. Enter it in the provider's settings, and keep it secret. Reads show the last four characters of its token.",
      }),
      (_row: object, address: string) => address,
    ),
    last_error: json(
      rendered(
        lastError.nullable().meta({ description: "Set while the provider refuses its credentials." }),
        (error: Refused | null) => error && { ...error, at: timestampToWire(error.at) },
      ),
    ),
    failed_later: added(
      z.int().optional().meta({
        description:
          "Present in reads: how many recipients of the last 7 days' messages did not get what the provider had taken.",
      }),
      (row: { id: number; failed_later?: number }) => row.failed_later,
    ),
    created_at: dateTime,
    updated_at: dateTime,
  },
  "MessagingProvider",
);
export type ProviderRow = RowOf<typeof provider>;

/** The providers as reads select them, with what failed after they had taken it. */
export function countedProviders({ now }: ReadCtx) {
  const { dispatchState, error, messageId } = messageRecipients;
  const failedLater = sql`(SELECT count(*) FROM ${messages} JOIN ${messageRecipients} ON ${messageId} = ${messages.id}
    WHERE ${messages.channel} = snapshot ->> '$.channel' AND ${messages.id} >= ${messageIdAt(now - COUNTED_MS)}
      AND ${messages.providerId} = snapshot ->> '$.id' AND ${dispatchState} = 'dispatched' AND ${error} IS NOT NULL)`;
  return {
    table: messagingProviders,
    select: (
      tail: SQL,
    ) => sql<ProviderRow>`SELECT json_set(snapshot, '$.failed_later', ${failedLater}) AS snapshot
      FROM (${provider.select(tail)})`,
  };
}

function statusOf({ is_active, paused_at }: { is_active: number; paused_at: number | null }) {
  if (is_active === 0) return "inactive";
  return paused_at === null ? "active" : "paused";
}

/** A provider just made or rotated: the only answers that show the whole address. */
export async function renderIssuedProvider(row: ProviderRow, ctx: RenderCtx) {
  return provider.render(row, await callbackUrl(ctx, row));
}

/** A provider as reads show it, without its token: a person who knows the token can forge callbacks. */
export async function renderProvider(row: ProviderRow, ctx: RenderCtx) {
  return provider.render(row, await callbackUrl(ctx, row, (token) => `...${lastFour(token)}`));
}

/** The data of provider events. It holds no secret, not even an encrypted one: key rotation would not find it. */
export const providerResource = resource({
  name: "provider",
  scope: "settings:read",
  record: {
    schema: provider.schema,
    render: (row: ProviderRow, ctx: ReadCtx & OutsideCtx) =>
      provider.render(row, hiddenCallbackUrl(ctx, row)),
  },
  select: (_ctx, id) =>
    sql<ProviderRow>`SELECT json_set(snapshot, '$.sealed_token', '') AS snapshot
      FROM (${provider.select(sql`${messagingProviders.id} = ${id}`)})`,
});
