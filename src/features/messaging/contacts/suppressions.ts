import { and, lte, type SQLWrapper, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { ReadCtx } from "#core/context.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { dateTime, described, idText, nullable, rendered } from "#core/sql/fields.ts";
import { record } from "#core/sql/record.ts";
import { collectionVerbs } from "#core/write/collection.ts";
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

const isOf = (email: string | undefined, scope: "all" | "marketing" | undefined) =>
  sql`${suppressions.email} = ${email?.toLowerCase()} AND ${suppressions.scope} = ${scope}`;

const verbs = collectionVerbs({
  record: suppression,
  create,
  columns: ({ email, ...others }) => ({ ...columnsOf(suppressions, others), email: email?.toLowerCase() }),
  made: ({ email, scope }) => isOf(email, scope),
  // An entry that has expired gives way.
  guards: ({ email, scope }, _id, ctx) => [
    ctx.db.delete(suppressions).where(and(isOf(email, scope), lte(suppressions.expiresAt, ctx.now))),
  ],
});

export const suppressionRoutes = new Router(
  "Settings: Opt-outs and suppressions",
  "/suppressions",
).collection({
  ids: { one: "Suppression", list: "listSuppressions" },
  words: ["a suppressed e-mail address", "the suppressed e-mail addresses"],
  record: suppression,
  create,
  verbs,
  problems: { create: ["conflict"] },
  notes: {
    create: {
      description: "No e-mail goes to this address. The API adds hard bounces and complaints automatically.",
    },
  },
});

/** An address that bounced, or whose owner complained or unsubscribed: no e-mail of the scope goes to it any more. */
export function suppress(
  ctx: ReadCtx,
  { email, reason }: Suppression,
  scope: "all" | "marketing" = "all",
): SQLWrapper {
  return ctx.db
    .insert(suppressions)
    .values({ email: email.toLowerCase(), scope, reason, createdAt: ctx.now })
    .onConflictDoUpdate({
      target: [suppressions.email, suppressions.scope],
      set: { reason, expiresAt: null },
    });
}
