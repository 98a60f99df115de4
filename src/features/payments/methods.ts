import { eq } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { read } from "#platform/operation-memory.ts";
import { paymentModes } from "./tables.ts";

export type PaymentModeRow = typeof paymentModes.$inferSelect;

/** The active payment modes, in the order they were made. */
export async function listMethods(ctx: Ctx): Promise<PaymentModeRow[]> {
  const active = ctx.db
    .select()
    .from(paymentModes)
    .where(eq(paymentModes.isActive, 1))
    .orderBy(paymentModes.id);
  const [rows] = await read(ctx, [active]);
  return rows;
}

export function renderMode({ id, name, modeType }: PaymentModeRow) {
  return { id: String(id), name, mode_type: modeType };
}
