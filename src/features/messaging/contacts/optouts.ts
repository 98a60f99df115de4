import { sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { resource } from "#api/operations/resource.ts";
import type { WriteCtx } from "#core/context.ts";
import { dateTime, idText, rendered } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { atomic } from "#core/write/atomic.ts";
import { recordVerbs } from "#core/write/collection.ts";
import { CHATAPP_USER, isChatappUser } from "#shared/contact/chatapp-user.ts";
import { plainPhone } from "#shared/contact/phone.ts";
import { fieldProblem } from "#shared/problem.ts";
import { contactOptouts } from "#tables/messaging";
import { isKeyedHash } from "./keyed-hashes.ts";
import { matchOf, numberOf, plainAddress } from "./matching.ts";

const DIGITS = /^ *\+?(?:[ ().-]*\d){8,15}[ ().-]*$/;
const WHAT = "must be 8 to 15 digits, or for chatapp a user id such as IN.123";

const create = z.object({
  channel: z.enum(["sms", "chatapp"]),
  address: z
    .string()
    .overwrite(plainPhone)
    .max(140, "must have at most 140 characters")
    .regex(new RegExp(`${DIGITS.source}|${CHATAPP_USER.source}`), WHAT)
    .describe(
      "A number with `+` or `00`, or as dialled in the company's country. The API matches the whole number, in E.164. If the whole number is not known, it matches the last 9 digits. Or the user id of a person who hides the number in the chat-app.",
    ),
});

/** Who does not want to be written to. */
const optout = record(
  contactOptouts,
  {
    id: idText,
    channel: z.enum(["sms", "chatapp"]),
    address: z.string().meta({
      description:
        "The digits as sent, or a chat-app user's id. `erased` after the person's erasure; then the API matches a keyed hash.",
    }),
    e164: rendered(
      z.string().nullable().meta({
        description: "The whole number that messages are matched by; null if it is not known.",
      }),
      (number: string | null) => (!number || isKeyedHash(number) ? null : number),
    ),
    source: z.enum(["manual", "inbound"]).meta({ description: "`inbound`: the person wrote STOP." }),
    created_at: dateTime,
  },
  "Optout",
);

/** The data of opt-out events. */
export const optoutResource = resource({
  name: "optout",
  scope: "settings:read",
  record: optout,
  select: (_ctx, id) => optout.select(sql`${contactOptouts.id} = ${id}`),
});

export const optoutRoutes = new Router("Settings: Opt-outs and suppressions", "/optouts").collection({
  ids: { one: "Optout", list: "listOptouts" },
  words: ["a number that opted out", "the numbers that opted out"],
  record: optout,
  create,
  verbs: { ...recordVerbs({ record: optout }), create: createOptout },
  problems: { create: ["conflict"] },
  notes: {
    create: {
      description:
        "Messages to this number are accepted, but never sent. The API adds a person who writes STOP automatically.",
    },
  },
  changes: { create: ["optout"], delete: ["optout"] },
});

/** Lists a number by hand; 409 when it is listed already. */
function createOptout(
  ctx: WriteCtx,
  _params: unknown,
  body: z.output<typeof create>,
): Promise<RowOf<typeof optout>> {
  const { channel } = body;
  if (channel === "sms" && isChatappUser(body.address)) throw fieldProblem("address", "invalid_format", WHAT);
  const address = plainAddress(body.address);
  const match = matchOf(channel, address);
  const number = numberOf(ctx.company.country, channel, body.address) ?? "";
  return atomic(
    ctx,
    [
      ctx.db
        .insert(contactOptouts)
        .values({ channel, address, match, e164: number, source: "manual", createdAt: ctx.now }),
    ],
    optout.select(
      sql`${contactOptouts.channel} = ${channel} AND ${contactOptouts.e164} = ${number} AND ${contactOptouts.match} = ${match}`,
    ),
  );
}
