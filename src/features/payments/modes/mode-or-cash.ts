import { sql } from "drizzle-orm";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import type { AccountReference } from "#features/ledger";
import { ACCOUNTS } from "#shared/payments/books.ts";
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

/** Where money of a mode goes: the mode's own account, else Cash or Bank. */
export function accountOf({ accountId, modeType }: Mode): AccountReference {
  if (accountId !== null) return { id: accountId };
  return { key: modeType === "cash" ? ACCOUNTS.cash : ACCOUNTS.bank };
}
