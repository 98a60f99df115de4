import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#platform/context.ts";
import { ACCOUNTS } from "#shared/books.ts";
import { accounts } from "./tables.ts";

// Literal text, so that it can stand in statements that bind nothing.
const CUSTOMER = sql.raw("'customer'");

/** The live debtor account of a customer, as a condition on `accounts`. */
export function debtorAccountOf(customerId: SQL | number): SQL {
  return sql`${accounts.partyType} = ${CUSTOMER} AND ${accounts.partyId} = ${customerId} AND ${accounts.deletedAt} IS NULL`;
}

/** Opens the customer's account under Sundry Debtors; nothing where there is no such customer. */
export function openDebtorAccount(ctx: Ctx, customerId: SQL<number>, name: string): SQL {
  return sql`INSERT INTO ${accounts} (code, name, type, parent_id, party_type, party_id, created_at, updated_at)
    SELECT ${ACCOUNTS.sundryDebtors} || '-' || ${customerId}, ${accountName(customerId, name)}, 'asset', id, ${CUSTOMER}, ${customerId},
      ${ctx.now}, ${ctx.now}
    FROM ${accounts} WHERE code = ${ACCOUNTS.sundryDebtors} AND ${customerId} IS NOT NULL`;
}

/** Keeps the account's name in step with the customer's. */
export function renameDebtorAccount(ctx: Ctx, customerId: number, name: string): SQL {
  return sql`UPDATE ${accounts} SET name = ${accountName(sql`${customerId}`, name)}, updated_at = ${ctx.now}
    WHERE ${debtorAccountOf(customerId)}`;
}

/** Takes the account out of the chart; entries that were reversed still show its name. */
export function closeDebtorAccount(ctx: Ctx, customerId: number): SQL {
  return sql`UPDATE ${accounts} SET is_active = 0, deleted_at = ${ctx.now}, updated_at = ${ctx.now}
    WHERE ${debtorAccountOf(customerId)}`;
}

/** `Sundry Debtors / {name}`, with the customer's id behind it, again if need be, while another account has that name. */
function accountName(customerId: SQL, name: string): SQL<string> {
  return sql`(
    WITH RECURSIVE candidate (name) AS (
      SELECT ${`Sundry Debtors / ${name}`}
      UNION ALL
      SELECT candidate.name || ' (' || ${customerId} || ')' FROM candidate WHERE EXISTS (
        SELECT 1 FROM ${accounts} other WHERE other.name = candidate.name AND other.deleted_at IS NULL
          AND NOT (other.party_type IS ${CUSTOMER} AND other.party_id IS ${customerId})
      )
    )
    SELECT name FROM candidate ORDER BY length(name) DESC LIMIT 1
  )`;
}
