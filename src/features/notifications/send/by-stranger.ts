import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { refuseWhen } from "#core/write/atomic.ts";
import { isUnproven } from "#features/bookings";
import { messageIdAt } from "#features/messaging";
import { BY_STRANGERS, BY_VISITORS, IN_RECEIVER_HOUR, STRANGER_LIMITS } from "#shared/strangers.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import { bookings } from "#tables/bookings";
import { events } from "#tables/core";
import { messageRecipients, messages } from "#tables/messaging";
import { notifications } from "#tables/notifications";

const ofVisitor = sql`${bookings.client} IS NOT NULL AND ${isUnproven}`;

/** Whether a stranger caused a notification, of a query that has its event: staff and who has paid or proven are none. */
export const isByStranger = sql<number>`(${notifications.rule} IN (${listed(BY_STRANGERS)})
  OR (${notifications.rule} IN (${listed(BY_VISITORS)})
    AND (${notifications.sequence} IS NULL OR ${events.actor} ->> '$.type' = 'publishable')
    AND EXISTS (SELECT 1 FROM ${bookings} WHERE ${bookings.id} = ${notifications.recordId} AND ${ofVisitor})))`;

/** The messages that strangers caused, among those of the day. */
export const isMessageByStranger = sql`EXISTS (SELECT 1 FROM ${notifications}
  LEFT JOIN ${events} ON ${events.sequence} = ${notifications.sequence}
  WHERE ${notifications.messageId} = ${messages.id} AND ${isByStranger})`;

/** Aborts the batch where one of the recipients has had, within the hour, as many messages as strangers may cause. */
export function refuseFullHour(
  { now }: Pick<ReadCtx, "now">,
  recipients: readonly { address: string }[],
  isOwn: boolean,
): SQL {
  const most = isOwn ? STRANGER_LIMITS.ownReceiverHour : STRANGER_LIMITS.receiverHour;
  const inHour = sql`${messages.rule} IN (${listed(IN_RECEIVER_HOUR)}) AND ${messages.id} >= ${messageIdAt(now - HOUR_MS)}`;
  const had = sql`(SELECT count(*) FROM ${messages} JOIN ${messageRecipients} ON ${messageRecipients.messageId} = ${messages.id}
    WHERE ${inHour} AND ${mailbox(messageRecipients.address)} = ${mailbox(sql`(receiver.value ->> '$.address')`)})`;
  const isFull = sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(recipients)}) AS receiver WHERE ${had} >= ${most})`;
  return refuseWhen(isFull, "limit_reached");
}

/** The mailbox of an address: some write one as many, by a tag behind a plus sign, and at Gmail by dots. */
function mailbox(address: SQLWrapper): SQL {
  const name = sql`substr(${address}, 1, instr(replace(${address}, '+', '@'), '@') - 1)`;
  const host = sql`replace(substr(lower(${address}), instr(${address}, '@')), '@googlemail.com', '@gmail.com')`;
  return sql`iif(instr(${address}, '@') = 0, ${address}, iif(${host} = '@gmail.com', replace(lower(${name}), '.', ''), lower(${name})) || ${host})`;
}

function listed(rules: readonly string[]): SQL {
  return sql.raw(rules.map((rule) => `'${rule}'`).join(", "));
}
