import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { sha256Hex } from "#core/secrets/hash.ts";
import { isLive } from "#features/customers";
import type { Inbound } from "#providers/delivery";
import { phoneLast9 } from "#shared/contact/phone.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { customers } from "#tables/customers";
import { inboundMessages, messageRecipients } from "#tables/messaging";
import { isNamed, numberOf, plainAddress } from "../contacts/matching.ts";

const MOST_CHARACTERS = 4_096;
const MOST_NAME_CHARACTERS = 255;

/** The sender's number in E.164, or as the provider sent it if it fits no rule. */
export function senderOf(country: string, channel: "sms" | "chatapp", from: string): string {
  return numberOf(country, channel, from) ?? (plainAddress(from) || from.slice(0, MOST_NAME_CHARACTERS));
}

/** The statement that stores what a person wrote, unless it is there already. */
export async function storeInbound(
  ctx: ReadCtx,
  channel: "sms" | "chatapp",
  provider: string,
  { id, message }: { id: string; message: Inbound },
): Promise<SQLWrapper> {
  const { from, to, type, at } = message;
  const minute = Math.floor((at ?? ctx.now) / MINUTE_MS);
  const given = cut(message.id, MOST_NAME_CHARACTERS);
  const knownAs = given ?? `hash:${await sha256Hex(JSON.stringify([from, message.text, minute]))}`;
  const last9 = isNamed(from) ? null : phoneLast9(from);
  const answered = sql`SELECT ${messageRecipients.messageId} FROM ${messageRecipients}
    WHERE ${messageRecipients.providerMessageId} = ${message.replyTo} AND ${messageRecipients.provider} = ${provider}`;
  const customer = sql`SELECT ${customers.id} FROM ${customers}
    WHERE ${customers.phoneLast9} = ${last9} AND ${isLive} ORDER BY ${customers.id} LIMIT 1`;
  return sql`INSERT INTO ${inboundMessages} (id, channel, provider, provider_message_id, known_as, sender, recipient,
      type, text, media_type, sent_at, received_at, reply_to, customer_id)
    VALUES (${id}, ${channel}, ${provider}, ${given}, ${knownAs},
      ${senderOf(ctx.company.country, channel, from)}, ${cut(to, MOST_NAME_CHARACTERS)}, ${type},
      ${cut(message.text, MOST_CHARACTERS)}, ${cut(message.mediaType, MOST_NAME_CHARACTERS)}, ${at}, ${ctx.now},
      (${answered}), (${customer}))
    ON CONFLICT DO NOTHING`;
}

/** Whether this very run stored it: it was not there before. */
export function isStored(id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${inboundMessages} WHERE ${inboundMessages.id} = ${id})`;
}

/** A text without NUL characters and broken Unicode, cut where it is too long; null for none. */
function cut(text: string | null, most: number): string | null {
  if (text === null || text === "") return null;
  return [...text.replaceAll("\0", "").toWellFormed()].slice(0, most).join("");
}
