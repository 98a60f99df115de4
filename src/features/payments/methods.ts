import { sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { type JsonRow, jsonObject } from "#platform/json.ts";
import { readAll } from "#platform/read-records.ts";
import { paymentModes } from "./tables.ts";

const shape = { id: paymentModes.id, name: paymentModes.name, mode_type: paymentModes.modeType };
export type PaymentModeRow = JsonRow<typeof shape>;

/** The active payment modes, in the order they were made. */
export async function listMethods(ctx: Ctx): Promise<PaymentModeRow[]> {
  const select = sql<PaymentModeRow>`SELECT ${jsonObject(shape)} AS snapshot FROM ${paymentModes}
    WHERE ${paymentModes.isActive} = 1 ORDER BY ${paymentModes.id}`;
  return readAll(ctx, select);
}

export function renderMode({ id, name, mode_type }: PaymentModeRow) {
  return { id: String(id), name, mode_type };
}
