import { type SQL, sql } from "drizzle-orm";
import { type JsonRow, jsonObject, once } from "#platform/sql/json.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { paymentModes } from "./tables.ts";

const shape = {
  id: paymentModes.id,
  name: paymentModes.name,
  mode_type: paymentModes.modeType,
  account_id: paymentModes.accountId,
  is_active: paymentModes.isActive,
  created_at: paymentModes.createdAt,
  updated_at: paymentModes.updatedAt,
};
export type ModeRow = JsonRow<typeof shape>;

const columns = once(() => jsonObject(shape));

/** The SELECT of payment modes; `tail` goes on after WHERE. */
export function selectModes(tail: SQL): SQL<ModeRow> {
  return sql`SELECT ${columns()} AS snapshot FROM ${paymentModes} WHERE ${tail}`;
}

export function renderMode(row: ModeRow) {
  return {
    ...row,
    id: String(row.id),
    account_id: row.account_id === null ? null : String(row.account_id),
    is_active: row.is_active === 1,
    created_at: timestampToWire(row.created_at),
    updated_at: timestampToWire(row.updated_at),
  };
}
