import { sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { readList } from "#core/sql/read-records.ts";
import { idBelow, type Listed, type Page } from "#shared/page.ts";
import { timestampOrNull, timestampToWire } from "#shared/time/dates.ts";
import { messages } from "#tables/messaging";
import { notifications } from "../tables.ts";
import type { LogQuery } from "./log-schema.ts";

const shape = {
  id: notifications.id,
  rule: notifications.rule,
  channel: notifications.channel,
  recipient: notifications.recipient,
  resource: notifications.resource,
  record_id: notifications.recordId,
  state: notifications.state,
  reason: notifications.reason,
  message_id: notifications.messageId,
  message_status: sql<string | null>`(SELECT ${messages.status} FROM ${messages}
    WHERE ${messages.id} = ${notifications.messageId})`,
  count: notifications.count,
  due_at: notifications.dueAt,
  ended_at: notifications.endedAt,
};
type LogRow = JsonRow<typeof shape>;
const columns = once(() => jsonObject(shape));

/** What became of each notification, newest first. */
export function listNotifications(
  ctx: CallCtx,
  _params: unknown,
  { state, rule, page }: LogQuery & { page: Page },
): Promise<Listed<LogRow>> {
  const conditions = [sql`${notifications.id} < ${idBelow(page)}`];
  if (state !== undefined) conditions.push(sql`${notifications.state} = ${state}`);
  if (rule !== undefined) conditions.push(sql`${notifications.rule} = ${rule}`);
  return readList(
    ctx,
    page,
    sql<LogRow>`SELECT ${columns()} AS snapshot FROM ${notifications}
      WHERE ${sql.join(conditions, sql` AND `)} ORDER BY ${notifications.id} DESC LIMIT ${page.take}`,
  );
}

export function renderNotification(row: LogRow) {
  return {
    ...row,
    id: String(row.id),
    record_id: row.record_id === "" ? null : row.record_id,
    due_at: timestampToWire(row.due_at),
    ended_at: timestampOrNull(row.ended_at),
  };
}
