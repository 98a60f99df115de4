import { sql } from "drizzle-orm";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import { paymentModes } from "#tables/payments";

export type Mode = typeof paymentModes.$inferSelect;

/** The query for a payment mode by its id; without an id, for the first of the active ones, Cash before others. */
export const selectModeOrCash = keptQuery((db, { id }: Given<{ id: number | null }>) =>
  db
    .select()
    .from(paymentModes)
    .where(sql`${paymentModes.isActive} = 1 AND (${id} IS NULL OR ${paymentModes.id} = ${id})`)
    .orderBy(sql`${paymentModes.modeType} = 'cash' DESC, ${paymentModes.id}`),
);
