import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { EncryptionCtx, IdCtx, ReadCtx } from "#core/context.ts";
import { keyedHashOf, selectHmacKey } from "#core/secrets/company-hmac.ts";
import { columnList } from "#core/sql/column-list.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import type { Inbound, Preference } from "#providers/delivery";
import { isChatappUser } from "#shared/contact/chatapp-user.ts";
import { newInboundId } from "../inbox/inbound-id.ts";
import { isStored, storeInbound } from "../inbox/store-inbound.ts";
import { messageRecipients } from "../messages/tables.ts";
import { messagingSettings } from "../retention/tables.ts";
import { isErasedOptoutOf, isOptoutOf } from "./block.ts";
import { type KeyedHashes, keyedHashesBy } from "./keyed-hashes.ts";
import { matchOf, numberOf, plainAddress } from "./matching.ts";
import { chatappWindows, contactOptouts } from "./tables.ts";
import { MOST_WORD_CHARACTERS, plainWord, wishOf } from "./words.ts";

type PhoneChannel = "sms" | "chatapp";

// What stands below a picture, or a smile, is no order.
const SPOKEN: ReadonlySet<Inbound["type"]> = new Set(["text", "button", "interactive"]);

// A person's number. The API takes no opt-out from other senders.
const NUMBER = /^\+?[\d\s().-]{7,24}$/;

const optoutColumns = columnList(contactOptouts, [
  "channel",
  "address",
  "match",
  "e164",
  "source",
  "createdAt",
]);

/**
 * A person wrote: it is stored once, the chat-app's window is open for a day, and a word such as STOP ends all messages
 * to them. A repeated callback changes no opt-out: the person may have written another word since.
 */
export async function noteInbound(
  ctx: ReadCtx & IdCtx & EncryptionCtx,
  channel: PhoneChannel,
  provider: string,
  message: Inbound,
): Promise<SQLWrapper[]> {
  const id = newInboundId(ctx);
  const statements: SQLWrapper[] = [await storeInbound(ctx, channel, provider, { id, message })];
  if (channel === "chatapp") {
    const { phone, lastInboundAt } = chatappWindows;
    const writtenAt = message.at ?? ctx.now;
    statements.push(
      ctx.db
        .insert(chatappWindows)
        .values({ phone: plainAddress(message.from), lastInboundAt: writtenAt })
        .onConflictDoUpdate({
          target: phone,
          set: { lastInboundAt: sql`max(${lastInboundAt}, ${writtenAt})` },
        }),
    );
  }
  return [...statements, ...(await followWish(ctx, channel, provider, id, message))];
}

/** A person set in the chat-app that they want marketing no more, or again: it is all that a message without a purpose can be. */
export function notePreference(
  ctx: ReadCtx & EncryptionCtx,
  { from, wish }: Preference,
): Promise<SQLWrapper[]> {
  return wish === "out"
    ? Promise.resolve([optOut(ctx, "chatapp", from, sql`true`)])
    : takeBack(ctx, "chatapp", from, sql`true`);
}

/** The hashes of a number, where the company has a key for hashes: once it has erased a person. */
async function keyedHashesIn(
  ctx: ReadCtx & EncryptionCtx,
  channel: PhoneChannel,
  item: { e164: string | null; match: string },
): Promise<KeyedHashes | null> {
  const [cells] = await ctx.database.read([jsonQuery(ctx, selectHmacKey)]);
  const key = parseRows(cells)[0]?.key ?? null;
  return key === null ? null : keyedHashesBy(await keyedHashOf(ctx, key), channel, item);
}

/** The statements that do what a whole message wishes, where it is a word for that: of the country, or of the company. */
async function followWish(
  ctx: ReadCtx & EncryptionCtx,
  channel: PhoneChannel,
  provider: string,
  id: string,
  { id: given, from, text, type, replyTo }: Inbound,
): Promise<SQLWrapper[]> {
  if (text === null || !SPOKEN.has(type) || !(NUMBER.test(from) || isChatappUser(from))) return [];
  const { country } = ctx.company;
  const wish = wishOf(text, { channel, country, number: numberOf(country, channel, from) });
  if (wish === "in") return takeBack(ctx, channel, from, isStored(id));
  const word = plainWord(text);
  if (wish === null && (word === "" || word.length > MOST_WORD_CHARACTERS)) return [];
  // Without an id, a repeated STOP may be a new one: so it counts, as no other word does.
  const isNew = given ? isStored(id) : sql`true`;
  const isOwnWord = sql`EXISTS (
    SELECT 1 FROM ${messagingSettings}, json_each(${messagingSettings.optoutWords}) WHERE value = ${word})`;
  const when = sql`${isNew} AND ${wish === "out" ? sql`true` : isOwnWord}`;
  const statements = [optOut(ctx, channel, from, when)];
  if (isChatappUser(from) && replyTo !== null) statements.push(optOutAnswered(ctx, provider, replyTo, when));
  return statements;
}

function optOut({ company, now }: ReadCtx, channel: PhoneChannel, from: string, when: SQL): SQLWrapper {
  const number = numberOf(company.country, channel, from) ?? "";
  return sql`INSERT INTO ${contactOptouts} (${optoutColumns()})
    SELECT ${channel}, ${plainAddress(from)}, ${matchOf(channel, from)}, ${number}, 'inbound', ${now}
    WHERE ${when} ON CONFLICT DO NOTHING`;
}

/** A person without a number who answers a message says by it whose number it went to. */
function optOutAnswered({ now }: ReadCtx, provider: string, replyTo: string, when: SQL): SQLWrapper {
  const { address, providerMessageId, provider: carrier } = messageRecipients;
  return sql`INSERT INTO ${contactOptouts} (${optoutColumns()})
    SELECT 'chatapp', ${address}, substr(${address}, -9), '+' || ${address}, 'inbound', ${now} FROM ${messageRecipients}
    WHERE ${providerMessageId} = ${replyTo} AND ${carrier} = ${provider}
      AND ${address} NOT GLOB '*[^0-9]*' AND length(${address}) BETWEEN 8 AND 15 AND ${when} ON CONFLICT DO NOTHING`;
}

/** Only the person's own opt-out is taken back, never one that staff listed by hand. */
async function takeBack(
  ctx: ReadCtx & EncryptionCtx,
  channel: PhoneChannel,
  from: string,
  when: SQL,
): Promise<SQLWrapper[]> {
  const match = matchOf(channel, from);
  const number = numberOf(ctx.company.country, channel, from);
  const hashes = await keyedHashesIn(ctx, channel, { e164: number, match });
  const isTheirs = [
    isOptoutOf(channel, { e164: number, match }),
    ...(hashes === null ? [] : [isErasedOptoutOf(channel, number, hashes)]),
  ];
  return isTheirs.map(
    (isOne) => sql`DELETE FROM ${contactOptouts} WHERE ${isOne}
      AND ${contactOptouts.source} = 'inbound' AND ${when}`,
  );
}
