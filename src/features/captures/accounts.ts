import { type SQL, sql } from "drizzle-orm";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { debtorAccountOf } from "#features/ledger";
import { type AccountKey, CLEARING_ACCOUNTS } from "#shared/payments/books.ts";
import { gatewayCaptures } from "#tables/captures";
import { accounts } from "#tables/ledger";

/** The account of the service with a system key. */
export const keyed = keptStatement(
  ({ key }: Given<{ key: AccountKey }>) =>
    sql<number>`(SELECT ${accounts.id} FROM ${accounts} WHERE ${accounts.systemKey} = ${key})`,
);
/** The clearing account of a capture's gateway. */
export const clearing = sql<number>`(SELECT ${accounts.id} FROM ${accounts} WHERE ${accounts.systemKey} =
  CASE ${gatewayCaptures.gateway} ${sql.raw(
    Object.entries(CLEARING_ACCOUNTS)
      .map(([kind, key]) => `WHEN '${kind}' THEN '${key}'`)
      .join(" "),
  )} END)`;

/** The account of a customer. */
export const debtorOf = (customerId: SQL) =>
  sql`(SELECT ${accounts.id} FROM ${accounts} WHERE ${debtorAccountOf(customerId)})`;
