import { and, eq, isNull, sql } from "drizzle-orm";
import type { HmacCtx, ReadCtx, SystemWriteCtx } from "#core/context.ts";
import { systemWrite } from "#core/write/atomic.ts";
import { Problem } from "#shared/problem.ts";
import { profile } from "#tables/company";
import { messageRecipients, emailSuppressions as suppressions } from "#tables/messaging";
import { suppress } from "../contacts/suppressions.ts";
import { isTokenOf, rowIn } from "./token.ts";

/** Whom the page of a token speaks to, and whose e-mails they are. */
export type Subscriber = { address: string; company: string; done: boolean };

/** The recipient that a token is of; 404 for any other, and once the message is forgotten. */
export async function findSubscriber(ctx: ReadCtx & HmacCtx, token: string): Promise<Subscriber> {
  const { id, address } = messageRecipients;
  const own = and(
    eq(suppressions.email, sql`lower(${address})`),
    eq(suppressions.scope, "marketing"),
    isNull(suppressions.expiresAt),
  );
  const [[recipient], [seller]] = await ctx.database.read([
    ctx.db
      .select({ id, address, suppression: suppressions.id })
      .from(messageRecipients)
      .leftJoin(suppressions, own)
      .where(eq(id, rowIn(token))),
    ctx.db.select({ name: profile.name }).from(profile),
  ]);
  if (recipient === undefined || !(await isTokenOf(ctx, token, recipient))) throw new Problem("not_found");
  const company = seller?.name ?? ctx.company.name;
  return { address: recipient.address, company, done: recipient.suppression !== null };
}

/** Sends the recipient that a token is of no marketing any more. Idempotent. */
export async function unsubscribe(ctx: SystemWriteCtx & HmacCtx, token: string): Promise<Subscriber> {
  const subscriber = await findSubscriber(ctx, token);
  const { address: email } = subscriber;
  await systemWrite(ctx, [suppress(ctx, { email, reason: "unsubscribe" }, "marketing")]);
  return { ...subscriber, done: true };
}
