import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { EncryptionCtx, IdCtx, ReadCtx } from "#core/context.ts";
import { keyedHashOf, selectHmacKey } from "#core/secrets/company-hmac.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import type { Inbound, Preference } from "#providers/delivery";
import { chatappWindows, contactOptouts, messageRecipients, messagingSettings } from "#tables/messaging";
import { isStored, storeInbound } from "../inbox/store-inbound.ts";
import { newInboundId } from "../timed-ids.ts";
import { isErasedOptoutOf, isOptoutOf } from "./block.ts";
import { type KeyedHashes, keyedHashesBy } from "./keyed-hashes.ts";
import { isNamed, matchOf, numberOf, plainAddress } from "./matching.ts";
import { MOST_WORD_CHARACTERS, plainWord, wishOf } from "./words.ts";

type PhoneChannel = "sms" | "chatapp";

// What stands below a picture, or a smile, is no order.
const SPOKEN: ReadonlySet<Inbound["type"]> = new Set(["text", "button", "interactive"]);

// A person's number. The API takes no opt-out from other senders.
const NUMBER = /^\+?[\d\s().-]{7,24}$/;

const intoOptouts = sql`INSERT INTO ${contactOptouts} (channel, address, match, e164, source, created_at)`;

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
  const ids = [message.from, ...(message.aliases ?? [])];
  if (channel === "chatapp") {
    const { phone, lastInboundAt, person } = chatappWindows;
    const writtenAt = message.at ?? ctx.now;
    // An id that takes the place of another comes first; of one alone nothing new is known.
    const named = [...(message.becomes ?? []), ...ids];
    const user = named.length > 1 ? named.find(isNamed) : undefined;
    const known = user === undefined ? null : plainAddress(user);
    statements.push(
      ctx.db
        .insert(chatappWindows)
        .values(ids.map((one) => ({ phone: plainAddress(one), lastInboundAt: writtenAt, person: known })))
        .onConflictDoUpdate({
          target: phone,
          set: {
            lastInboundAt: sql`max(${lastInboundAt}, ${writtenAt})`,
            person: sql`coalesce(${known}, ${person})`,
          },
        }),
    );
  }
  for (const next of message.becomes ?? [])
    statements.push(...ids.map((one) => followTo(ctx, next, one, isStored(id))));
  return [...statements, ...(await followWish(ctx, channel, provider, id, message))];
}

/** A person set in the chat-app that they want marketing no more, or again: it is all that a message without a purpose can be. */
export function notePreference(
  ctx: ReadCtx & EncryptionCtx,
  { from, wish, at }: Preference,
): Promise<SQLWrapper[]> {
  return wish === "out"
    ? Promise.resolve([optOut(ctx, "chatapp", from, at, sql`true`)])
    : takeBack(ctx, "chatapp", from, at, sql`true`);
}

/** When a person wished: of two wishes the newer counts, whichever callback comes first. */
function instantOf({ now }: ReadCtx, at: number | null): number {
  return Math.min(at ?? now, now);
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
  { id: given, from, aliases = [], text, type, replyTo, at, wish: reported }: Inbound,
): Promise<SQLWrapper[]> {
  const whom = [from, ...aliases].filter(
    (one) => NUMBER.test(one) || (channel === "chatapp" && isNamed(one)),
  );
  const said = text !== null && SPOKEN.has(type) ? text : "";
  const { country } = ctx.company;
  const wish = reported ?? wishOf(said, { channel, country, number: numberOf(country, channel, from) });
  const isAnswer = channel === "chatapp" && isNamed(from) && replyTo !== null;
  if (wish === "in") {
    const taken = whom.map((one) => takeBack(ctx, channel, one, at, isStored(id)));
    // START undoes STOP, as https://help.twilio.com/articles/223134027 has it, and so what STOP in answer began.
    const itsNumber = sql`${contactOptouts.channel} = 'chatapp' AND ${contactOptouts.e164} = (
      SELECT '+' || ${address} ${fromAnswered(provider, replyTo ?? "")})`;
    if (isAnswer) taken.push(Promise.resolve([takenBack(ctx, itsNumber, at, isStored(id))]));
    return (await Promise.all(taken)).flat();
  }
  const word = plainWord(said);
  if (wish === null && (word === "" || word.length > MOST_WORD_CHARACTERS)) return [];
  // Without an id, a repeated STOP may be a new one: so it counts, as no other word does.
  const isNew = given ? isStored(id) : sql`true`;
  const isOwnWord = sql`EXISTS (
    SELECT 1 FROM ${messagingSettings}, json_each(${messagingSettings.optoutWords}) WHERE value = ${word})`;
  const when = sql`${isNew} AND ${wish === "out" ? sql`true` : isOwnWord}`;
  const statements = whom.map((one) => optOut(ctx, channel, one, at, when));
  if (isAnswer) statements.push(optOutAnswered(ctx, provider, replyTo, at, when));
  return statements;
}

// One that is there already is from now on of the newer wish.
const orRenew = sql`ON CONFLICT DO UPDATE SET created_at = max(contact_optouts.created_at, excluded.created_at)
  WHERE contact_optouts.source = 'inbound'`;

function optOut(ctx: ReadCtx, channel: PhoneChannel, from: string, at: number | null, when: SQL): SQLWrapper {
  const number = numberOf(ctx.company.country, channel, from) ?? "";
  return sql`${intoOptouts}
    SELECT ${channel}, ${plainAddress(from)}, ${matchOf(channel, from)}, ${number}, 'inbound', ${instantOf(ctx, at)}
    WHERE ${when} ${orRenew}`;
}

/** Gives the opt-out of a chat-app's person to another id of theirs. The old number may be anybody's next, so it keeps its own. */
function followTo({ company }: ReadCtx, next: string, former: string, when: SQL): SQLWrapper {
  const { source, createdAt } = contactOptouts;
  const number = (address: string) => numberOf(company.country, "chatapp", address);
  const isTheirs = isOptoutOf("chatapp", { e164: number(former), match: matchOf("chatapp", former) });
  return sql`${intoOptouts}
    SELECT 'chatapp', ${plainAddress(next)}, ${matchOf("chatapp", next)}, ${number(next) ?? ""}, ${source}, ${createdAt}
    FROM ${contactOptouts} WHERE ${isTheirs} AND ${when} ${orRenew}`;
}

const { address, providerMessageId, provider: carrier } = messageRecipients;
/** The message that was answered, where it went to a whole number; as what follows SELECT. */
const fromAnswered = (provider: string, replyTo: string) => sql`FROM ${messageRecipients}
  WHERE ${providerMessageId} = ${replyTo} AND ${carrier} = ${provider}
    AND ${address} NOT GLOB '*[^0-9]*' AND length(${address}) BETWEEN 8 AND 15`;

/** A person without a number who answers a message says by it whose number it went to. */
function optOutAnswered(
  ctx: ReadCtx,
  provider: string,
  replyTo: string,
  at: number | null,
  when: SQL,
): SQLWrapper {
  return sql`${intoOptouts}
    SELECT 'chatapp', ${address}, substr(${address}, -9), '+' || ${address}, 'inbound', ${instantOf(ctx, at)}
    ${fromAnswered(provider, replyTo)} AND ${when} ${orRenew}`;
}

/** Only the person's own opt-out is taken back, never one that staff listed by hand. */
async function takeBack(
  ctx: ReadCtx & EncryptionCtx,
  channel: PhoneChannel,
  from: string,
  at: number | null,
  when: SQL,
): Promise<SQLWrapper[]> {
  const match = matchOf(channel, from);
  const number = numberOf(ctx.company.country, channel, from);
  const hashes = await keyedHashesIn(ctx, channel, { e164: number, match });
  const isTheirs = [
    isOptoutOf(channel, { e164: number, match }),
    ...(hashes === null ? [] : [isErasedOptoutOf(channel, number, hashes)]),
  ];
  return isTheirs.map((isOne) => takenBack(ctx, isOne, at, when));
}

function takenBack(ctx: ReadCtx, isTheirs: SQL, at: number | null, when: SQL): SQL {
  return sql`DELETE FROM ${contactOptouts} WHERE ${isTheirs}
    AND ${contactOptouts.source} = 'inbound' AND ${contactOptouts.createdAt} <= ${instantOf(ctx, at)} AND ${when}`;
}
