import { and, lte, type SQLWrapper, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { ReadCtx, WriteCtx } from "#core/context.ts";
import { dateTime, described, idText, nullable, rendered } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { atomic } from "#core/write/atomic.ts";
import { recordVerbs } from "#core/write/collection.ts";
import type { Suppression } from "#providers/delivery";
import { emailAddress } from "#shared/contact/email-address.ts";
import { instant } from "#shared/fields/instant.ts";
import { emailSuppressions as suppressions } from "#tables/messaging";
import { ERASED, isKeyedHash } from "./keyed-hashes.ts";

const create = z.object({
  email: emailAddress,
  scope: z
    .enum(["all", "marketing"])
    .default("all")
    .meta({ description: "Which e-mails are stopped: all, or marketing only." }),
  reason: z.enum(["manual", "unsubscribe"]).default("manual"),
  expires_at: instant.nullable().optional().describe("The end of the suppression. Default: no end."),
});

/** Who no e-mail goes to. */
const suppression = record(
  suppressions,
  {
    id: idText,
    email: rendered(
      z.string().meta({
        description: "In lower case. `erased` after the person's erasure; then the API matches a keyed hash.",
      }),
      (email: string) => (isKeyedHash(email) ? ERASED : email),
    ),
    scope: z.enum(["all", "marketing"]).describe("Which e-mails are stopped: all, or marketing only."),
    reason: z.enum(["hard_bounce", "complaint", "manual", "unsubscribe"]),
    expires_at: described(nullable(dateTime), "Null: never."),
    created_at: dateTime,
  },
  "Suppression",
);

export const suppressionRoutes = new Router(
  "Settings: Opt-outs and suppressions",
  "/suppressions",
).collection({
  ids: { one: "Suppression", list: "listSuppressions" },
  words: ["a suppressed e-mail address", "the suppressed e-mail addresses"],
  record: suppression,
  create,
  verbs: { ...recordVerbs({ record: suppression }), create: createSuppression },
  problems: { create: ["conflict"] },
  notes: {
    create: {
      description: "No e-mail goes to this address. The API adds hard bounces and complaints automatically.",
    },
  },
});

/** Lists an address by hand, in place of an entry that has expired; 409 when it is listed already. */
function createSuppression(
  ctx: WriteCtx,
  _params: unknown,
  { email: given, scope, reason, expires_at }: z.output<typeof create>,
): Promise<RowOf<typeof suppression>> {
  const email = given.toLowerCase();
  const here = sql`${suppressions.email} = ${email} AND ${suppressions.scope} = ${scope}`;
  return atomic(
    ctx,
    [
      ctx.db.delete(suppressions).where(and(here, lte(suppressions.expiresAt, ctx.now))),
      ctx.db
        .insert(suppressions)
        .values({ email, scope, reason, expiresAt: expires_at ?? null, createdAt: ctx.now }),
    ],
    suppression.select(here),
  );
}

/** An address that bounced, or whose owner complained: no e-mail goes to it any more. */
export function suppress(ctx: ReadCtx, { email, reason }: Suppression): SQLWrapper {
  return ctx.db
    .insert(suppressions)
    .values({ email: email.toLowerCase(), scope: "all", reason, createdAt: ctx.now })
    .onConflictDoUpdate({
      target: [suppressions.email, suppressions.scope],
      set: { reason, expiresAt: null },
    });
}
