import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { ReadCtx, WriteCtx } from "#core/context.ts";
import { auditEach } from "#core/write/audit-log.ts";
import { type Erasure, integersOf } from "#core/write/erasures.ts";
import { forgetSnapshots } from "#core/write/events.ts";
import { among, MOST_AT_ONCE, type Person, personEraser } from "#features/erasures";
import { failure } from "#providers/delivery";
import { phoneDigits, spellingsOf } from "#shared/contact/phone.ts";
import { auditLog } from "#tables/core";
import { messages, messageRecipients as recipients } from "#tables/messaging";
import { ERASED } from "../contacts/keyed-hashes.ts";
import { isUnsent } from "../dispatch/unsent.ts";

const CANCELLED = JSON.stringify(failure("cancelled", "The recipient was erased"));

const other = alias(recipients, "other");

/** Erases again whom messages went to, and what they said; a message that waits is not sent to them any more. */
export const recipientErasure: Erasure = {
  action: "eraseRecipient",
  left: (
    given,
  ) => sql`SELECT record FROM ${given} JOIN ${recipients} ON ${recipients.id} = CAST(record AS INTEGER)
    JOIN ${messages} ON ${messages.id} = ${recipients.messageId}
      AND ${messages.createdAt} <= at AND ${recipients.address} <> ${ERASED}`,
  forget: (left) => [
    forgetSnapshots(
      "message",
      sql`SELECT ${recipients.messageId} FROM ${recipients} WHERE ${recipients.id} IN (${integersOf(left)})`,
    ),
  ],
  erase: (left) => {
    const ids = integersOf(left);
    // The log's last row is of this very erasure.
    const at = sql`(SELECT ${auditLog.at} FROM ${auditLog} ORDER BY ${auditLog.id} DESC LIMIT 1)`;
    return [
      // A message that waits for another recipient keeps its content until then.
      sql`UPDATE ${messages} SET content = NULL, is_scheduled = 0,
        details = iif(details ->> '$.subject' IS NULL, details, json_set(details, '$.subject', ${ERASED}))
        WHERE ${messages.id} IN (SELECT ${recipients.messageId} FROM ${recipients} WHERE ${recipients.id} IN (${ids}))
          AND NOT EXISTS (SELECT 1 FROM ${recipients} AS ${other} WHERE ${other.messageId} = ${messages.id}
            AND ${other.dispatchState} IN ('pending', 'dispatching') AND ${other.id} NOT IN (${ids}))`,
      sql`UPDATE ${recipients} SET address = ${ERASED}, name = NULL, provider_message_id = NULL,
        status = iif(${isUnsent}, 'failed', status), failed_at = iif(${isUnsent}, ${at}, failed_at),
        error = CASE WHEN ${isUnsent} THEN ${CANCELLED}
          WHEN error IS NOT NULL THEN json_set(error, '$.message', ${ERASED}) END,
        dispatch_state = iif(${isUnsent}, 'dead', dispatch_state)
        WHERE ${recipients.id} IN (${ids})`,
    ];
  },
};

/** The statements that erase recipients with what they were sent; `ids` is a SELECT of theirs. */
export function eraseRecipients(ctx: WriteCtx, ids: SQL): SQLWrapper[] {
  const { action, forget, erase } = recipientErasure;
  const left = sql`SELECT CAST(${recipients.id} AS TEXT) AS record FROM ${recipients}
    WHERE ${recipients.id} IN (${ids}) AND ${recipients.address} <> ${ERASED}`;
  return [
    auditEach(ctx, action, sql`SELECT record AS id FROM (${left})`),
    ...(forget?.(left) ?? []),
    ...erase(left),
  ];
}

/** What was sent to a person, by each channel's own way to write an address: what follows FROM. */
function sentTo({ company }: ReadCtx, { emails, phones, users }: Person): SQL {
  const international = [...phones.map(phoneDigits), ...users];
  const dialled = phones.flatMap((phone) => spellingsOf(phone, company.country));
  const addresses = [...new Set([...emails, ...international, ...dialled])];
  return sql`${recipients} CROSS JOIN ${messages} ON ${messages.id} = ${recipients.messageId}
    WHERE ${recipients.id} IN (
        SELECT ${recipients.id} FROM ${recipients} WHERE ${recipients.address} IN ${among(addresses)}
        UNION SELECT ${recipients.id} FROM ${recipients}
          WHERE ${recipients.address} <> lower(${recipients.address}) AND lower(${recipients.address}) IN ${among(emails)})
      AND CASE ${messages.channel} WHEN 'sms' THEN ${recipients.address} IN ${among(dialled)}
        WHEN 'chatapp' THEN ${recipients.address} IN ${among(international)}
        ELSE lower(${recipients.address}) IN ${among(emails)} END`;
}

type Row = { id: number; shared: 0 | 1 };

/** The messages to a person. */
export const recipientEraser = personEraser<Row>({
  erasure: recipientErasure,
  scope: "messages:write",
  counts: "messages",
  isBounded: true,
  isReached: true,
  find: (ctx, person) => sql`SELECT json_object('id', ${recipients.id}, 'shared', EXISTS (
        SELECT 1 FROM ${recipients} AS ${other} WHERE ${other.messageId} = ${messages.id} AND ${other.id} <> ${recipients.id}
          AND ${other.dispatchState} IN ('pending', 'dispatching') AND ${messages.content} IS NOT NULL
          AND lower(${other.address}) NOT IN ${among(person.emails)})) AS snapshot
      FROM ${sentTo(ctx, person)} LIMIT ${MOST_AT_ONCE}`,
  // What was stored since the search, as a notification's message.
  also(ctx, person) {
    return eraseRecipients(ctx, sql`SELECT ${recipients.id} FROM ${sentTo(ctx, person)}`);
  },
  theirs: (rows) => ({ ids: rows.map(({ id }) => id) }),
  kept: (rows) =>
    rows
      .filter(({ shared }) => shared === 1)
      .slice(0, 1)
      .map(() => ({
        what: "messages" as const,
        why: "The contents of e-mails that wait for another recipient. Retention erases them",
        until: null,
      })),
});
