import { type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import type { NoticeName } from "./rules.ts";
import { notifications } from "./tables.ts";

const RULE: NoticeName = "payee_changed";

/**
 * The statement that gives the company a notice, where `changed` holds, that customers may pay to another account: once
 * an hour for each place of it. It stands before the change, so that `changed` sees what was stored.
 */
export function noticeOfPayee(
  ctx: Pick<ReadCtx, "now">,
  place: "profile" | "payment_gateways",
  changed: SQL,
): SQL {
  const { rule, dueAt, id } = notifications;
  return sql`INSERT INTO ${notifications} (rule, channel, recipient, resource, record_id, occasion, due_at)
    SELECT ${RULE}, 'email', 'company', 'payee', ${place}, (SELECT coalesce(max(${id}), 0) FROM ${notifications}), ${ctx.now}
    WHERE ${changed} AND NOT EXISTS (SELECT 1 FROM ${notifications}
      WHERE ${rule} = ${RULE} AND ${notifications.recordId} = ${place} AND ${dueAt} > ${ctx.now - HOUR_MS})`;
}
