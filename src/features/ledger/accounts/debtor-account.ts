import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { ReadCtx } from "#core/context.ts";
import { columnList } from "#core/sql/column-list.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { ACCOUNTS, DEBTORS_CODE } from "#shared/payments/books.ts";
import { accounts } from "#tables/ledger";

// Literal text, so that it can stand in statements that bind nothing.
const CUSTOMER = sql.raw("'customer'");

const other = alias(accounts, "other");
const columns = columnList(accounts, [
  "code",
  "name",
  "type",
  "parentId",
  "partyType",
  "partyId",
  "createdAt",
  "updatedAt",
]);

/** The live debtor account of a customer, as a condition on `accounts`. */
export function debtorAccountOf(customerId: SQL | number): SQL {
  return sql`${accounts.partyType} = ${CUSTOMER} AND ${accounts.partyId} = ${customerId} AND ${accounts.deletedAt} IS NULL`;
}

const insert = keptStatement(
  ({ key, customerId, name, now }: Given<{ key: string; customerId: SQL; name: string; now: number }>) => {
    const id = sql`customer.id`;
    return sql`INSERT INTO ${accounts} (${columns()})
    SELECT ${accounts.code} || '-' || ${id}, ${accountName(id, name)}, 'asset', ${accounts.id}, ${CUSTOMER}, ${id},
      ${now}, ${now}
    FROM (SELECT ${customerId} AS id) customer JOIN ${accounts} ON ${accounts.systemKey} = ${key} WHERE ${id} IS NOT NULL`;
  },
);

/** Opens the customer's account under Sundry Debtors; does nothing where there is no such customer. */
export function openDebtorAccount(ctx: ReadCtx, customerId: SQL<number>, name: string): SQL {
  return insert({ key: ACCOUNTS.sundryDebtors, customerId, name: nameOf(name), now: ctx.now });
}

/** Keeps the account's name in step with the customer's. */
export function renameDebtorAccount(ctx: ReadCtx, customerId: number, name: string): SQLWrapper {
  return ctx.db
    .update(accounts)
    .set({ name: accountName(sql`${customerId}`, nameOf(name)), updatedAt: ctx.now })
    .where(debtorAccountOf(customerId));
}

/** Takes the account out of the chart; entries that were reversed still show its name. */
export function closeDebtorAccount(ctx: ReadCtx, customerId: number): SQLWrapper {
  return ctx.db
    .update(accounts)
    .set({ isActive: 0, deletedAt: ctx.now, updatedAt: ctx.now })
    .where(debtorAccountOf(customerId));
}

function nameOf(customer: string): string {
  return `Sundry Debtors / ${customer}`;
}

/** The account's name, with the customer's id added as often as another account has that name. */
function accountName(customerId: SQL, name: string | SQL): SQL<string> {
  return sql`(
    WITH RECURSIVE candidate (name) AS (
      SELECT ${name}
      UNION ALL
      SELECT candidate.name || ' (' || ${customerId} || ')' FROM candidate WHERE EXISTS (
        SELECT 1 FROM ${accounts} AS ${other} WHERE ${other.name} = candidate.name AND ${other.deletedAt} IS NULL
          AND NOT (${other.partyType} IS ${CUSTOMER} AND ${other.partyId} IS ${customerId})
      )
    )
    SELECT name FROM candidate ORDER BY length(name) DESC LIMIT 1
  )`;
}

/** Takes the accounts of customers out of the chart, and their names out of the accounts; `customers` is a SELECT of ids. */
export function eraseDebtorAccounts(customers: SQL): SQL {
  return sql`UPDATE ${accounts} SET name = 'Sundry Debtors / erased (' || party_id || ')', is_active = 0,
    deleted_at = coalesce(deleted_at, updated_at)
    WHERE ${accounts.code} IN (SELECT ${DEBTORS_CODE} || '-' || id FROM (${customers}))`;
}
