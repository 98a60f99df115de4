import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { ReadCtx } from "#core/context.ts";
import { columnsNamed } from "#core/sql/columns.ts";
import { type JsonRow, jsonObject } from "#core/sql/json.ts";
import type { requireProvider } from "#features/messaging";
import { HOUR_MS } from "#shared/time/durations.ts";
import { auditLog, settingChanges as changes, events } from "#tables/core";
import { notifications, notificationRules as rules } from "#tables/notifications";
import { RULE_NAMES, RULES } from "../rules.ts";
import { isByStranger } from "./by-stranger.ts";
import { type Facts, factsOf, refundOf } from "./facts.ts";
import { checked, stillSo } from "./still-so.ts";
import type { Changed } from "./told.ts";

type FormerProvider = Parameters<typeof requireProvider>[2][number];

// More would make a list of a mail.
const MOST_LISTED = 20;

const toInstructor = sql`CAST(substr(${notifications.recipient}, 12) AS INTEGER)`;
const ownId = sql`CAST(${notifications.recordId} AS INTEGER)`;

const KINDS = new Set(RULE_NAMES.flatMap((rule) => RULES[rule].about ?? []));
const cases = Array.from(KINDS, (kind) => {
  const id = kind === "booking" ? sql`${notifications.recordId}` : ownId;
  return sql`WHEN ${sql.raw(`'${kind}'`)} THEN (${factsOf(kind, id, toInstructor)})`;
});

// What an hourly notice counts, by number or name; leads by number only, because the notice outlasts an erasure.
const counted = alias(events, "counted");
const itsName = sql`coalesce(${counted.snapshot} ->> '$.order_number', ${counted.snapshot} ->> '$.booking_number',
  ${counted.snapshot} ->> '$.lead_number', ${counted.snapshot} ->> '$.name', ${counted.snapshot} ->> '$.kind',
  ${refundOf(sql`${counted.snapshot}`)})`;
const itsEvents = sql`FROM ${events} AS ${counted}
  WHERE ${counted.type} IN (${rules.event}, iif(${notifications.rule} = 'order_review', 'order.refund_needed', ''))
    AND ${counted.sequence} >= ${notifications.sequence} AND ${counted.at} / ${HOUR_MS} = CAST(${notifications.occasion} AS INTEGER)
    AND ${stillSo(counted.recordId)}`;
const listed = sql<string[]>`json((SELECT json_group_array(name) FROM (
  SELECT DISTINCT ${itsName} AS name ${itsEvents} AND ${itsName} IS NOT NULL
  ORDER BY ${counted.sequence} LIMIT ${MOST_LISTED})))`;

const before = alias(notifications, "told_before");
// What a notice says, and the route of before the first change.
const told = sql`FROM ${changes} WHERE ${changes.notificationId} = ${notifications.id}`;
const itsChanges = sql<
  Changed[]
>`json((SELECT json_group_array(json_object('setting', ${changes.setting}, 'actor', ${changes.actor},
  'at', ${changes.at}, 'was', json(${changes.was}), 'becomes', json(${changes.becomes}))) ${told}))`;
const firstRoute = sql`(SELECT ${changes.route} ${told} ORDER BY ${changes.id} LIMIT 1)`;

const shape = {
  ...columnsNamed(notifications, "id", "rule", "channel", "recipient", "address", "record_id"),
  ...columnsNamed(notifications, "occasion", "sequence", "due_at"),
  count: sql<number>`iif(${notifications.rule} IN (${checked}),
    (SELECT count(DISTINCT ${counted.recordId}) ${itsEvents}), ${notifications.count})`,
  /** Which cap it waits for; null if for none. */
  reason: notifications.reason,
  by_stranger: sql<0 | 1>`${isByStranger}`,
  /** How many messages of its record its recipient has had on its channel. */
  told: sql<number>`(SELECT count(*) FROM ${notifications} AS ${before} WHERE ${before.messageId} IS NOT NULL AND ${before.resource} = ${notifications.resource}
    AND ${before.recordId} = ${notifications.recordId} AND ${before.channel} = ${notifications.channel}
    AND ${before.recipient} = ${notifications.recipient})`,
  is_on: sql<number>`CASE ${notifications.channel} WHEN 'email' THEN ${rules.email} WHEN 'sms' THEN ${rules.sms} ELSE ${rules.chatapp} END`,
  hours: rules.hours,
  /** When the event happened, who did it by which operation, what the lesson was before, and then. */
  at: events.at,
  actor: sql<{ id: string } | null>`json(${events.actor})`,
  operation: sql<string | null>`(SELECT ${auditLog.action} FROM ${auditLog}
    WHERE ${auditLog.record} = ${notifications.recordId} AND ${auditLog.requestId} = ${events.requestId} LIMIT 1)`,
  was_date: sql<string | null>`${events.previous} ->> '$.booking_date'`,
  was_time: sql<string | null>`${events.previous} ->> '$.start_time'`,
  then_date: sql<string | null>`${events.snapshot} ->> '$.booking_date'`,
  then_time: sql<string | null>`${events.snapshot} ->> '$.start_time'`,
  then_instructor: sql<number | null>`${events.snapshot} ->> '$.instructor_id'`,
  listed: sql<string[] | null>`iif(${notifications.recordId} = '', ${listed}, NULL)`,
  changes: itsChanges,
  receivers: sql<(string | null)[] | null>`json(${firstRoute} -> '$.receivers')`,
  former: sql<FormerProvider | null>`json(${firstRoute} -> '$.provider')`,
  facts: sql<Facts | null>`json(CASE ${notifications.resource} ${sql.join(cases, sql` `)} END)`,
};
/** A notification that is due, with all that decides whether it is sent and what it says. */
export type DueNotification = JsonRow<typeof shape>;

/** The SELECT of the notifications that are due, the oldest first, `most` of them. */
export function selectDue({ now }: Pick<ReadCtx, "now">, most: number): SQL<DueNotification> {
  return sql`SELECT ${jsonObject(shape)} AS snapshot FROM ${notifications} INDEXED BY notifications_due
    LEFT JOIN ${rules} ON ${rules.rule} = ${notifications.rule}
    LEFT JOIN ${events} ON ${events.sequence} = ${notifications.sequence}
    WHERE ${notifications.state} = 'due' AND ${notifications.dueAt} <= ${now}
    ORDER BY ${notifications.dueAt} LIMIT ${most}`;
}

/** The SELECT of the records that an hourly notice counts, at most those that it lists. */
export function selectCounted(notice: number): SQL<{ kind: string; id: string; name: string }> {
  return sql`SELECT value AS snapshot FROM ${notifications} JOIN ${rules} ON ${rules.rule} = ${notifications.rule},
    json_each((SELECT json_group_array(json_object('kind', kind, 'id', id, 'name', name)) FROM (
      SELECT DISTINCT ${counted.resource} AS kind, ${counted.recordId} AS id, ${itsName} AS name ${itsEvents}
      ORDER BY ${counted.sequence} LIMIT ${MOST_LISTED})))
    WHERE ${notifications.id} = ${notice}`;
}

/** The SELECT of what is known of one record, by its id: what a preview or a page is made of. */
export function selectFacts(resource: string, record: string): SQL<Facts> {
  const id = resource === "booking" ? sql`${record}` : sql`CAST(${record} AS INTEGER)`;
  return sql`SELECT facts AS snapshot FROM (SELECT (${factsOf(resource, id, sql`NULL`)}) AS facts) WHERE facts IS NOT NULL`;
}
