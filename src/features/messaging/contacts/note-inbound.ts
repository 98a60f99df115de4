import { type SQLWrapper, sql } from "drizzle-orm";
import type { EncryptionCtx, IdCtx, ReadCtx } from "#core/context.ts";
import { keyedHashOf, selectHmacKey } from "#core/secrets/company-hmac.ts";
import { columnList } from "#core/sql/column-list.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import type { Inbound } from "#providers/delivery";
import { phoneDigits } from "#shared/contact/phone.ts";
import { newInboundId } from "../inbox/inbound-id.ts";
import { isStored, storeInbound } from "../inbox/store-inbound.ts";
import { messagingSettings } from "../retention/tables.ts";
import { isErasedOptoutOf, isOptoutOf } from "./block.ts";
import { type KeyedHashes, keyedHashesBy } from "./keyed-hashes.ts";
import { matchOf, numberOf } from "./matching.ts";
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
        .values({ phone: phoneDigits(message.from), lastInboundAt: writtenAt })
        .onConflictDoUpdate({
          target: phone,
          set: { lastInboundAt: sql`max(${lastInboundAt}, ${writtenAt})` },
        }),
    );
  }
  return [...statements, ...(await followWish(ctx, channel, id, message))];
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
  id: string,
  { id: given, from, text, type }: Inbound,
): Promise<SQLWrapper[]> {
  if (text === null || !SPOKEN.has(type) || !NUMBER.test(from)) return [];
  const { country } = ctx.company;
  const address = phoneDigits(from);
  const match = matchOf(channel, address);
  const number = numberOf(country, channel, from);
  const wish = wishOf(text, { channel, country, number });
  // Only the person's own opt-out is taken back, never one that staff listed by hand.
  if (wish === "in") {
    const hashes = await keyedHashesIn(ctx, channel, { e164: number, match });
    const isTheirs = [
      isOptoutOf(channel, { e164: number, match }),
      ...(hashes === null ? [] : [isErasedOptoutOf(channel, number, hashes)]),
    ];
    return isTheirs.map(
      (isOne) => sql`DELETE FROM ${contactOptouts} WHERE ${isOne}
        AND ${contactOptouts.source} = 'inbound' AND ${isStored(id)}`,
    );
  }
  const word = plainWord(text);
  if (wish === null && (word === "" || word.length > MOST_WORD_CHARACTERS)) return [];
  // Without an id, a repeated STOP may be a new one: so it counts, as no other word does.
  const isNew = given ? isStored(id) : sql`true`;
  const isOwnWord = sql`EXISTS (
    SELECT 1 FROM ${messagingSettings}, json_each(${messagingSettings.optoutWords}) WHERE value = ${word})`;
  return [
    sql`INSERT INTO ${contactOptouts} (${optoutColumns()})
      SELECT ${channel}, ${address}, ${match}, ${number ?? ""}, 'inbound', ${ctx.now}
      WHERE ${isNew} AND ${wish === "out" ? sql`true` : isOwnWord} ON CONFLICT DO NOTHING`,
  ];
}
