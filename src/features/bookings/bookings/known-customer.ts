import { type SQL, sql } from "drizzle-orm";
import { type Refusals, refuseWhen } from "#core/write/atomic.ts";
import { isLive } from "#features/customers";
import { fieldProblem } from "#shared/problem.ts";
import { customers } from "#tables/customers";

/** Aborts the batch with `customer_gone` unless there is such a customer. */
export function requireCustomer(id: number): SQL {
  const live = sql`SELECT 1 FROM ${customers} WHERE ${customers.id} = ${id} AND ${isLive}`;
  return refuseWhen(sql`NOT EXISTS (${live})`, "customer_gone");
}

export const CUSTOMER_GONE: Refusals = {
  customer_gone: () => fieldProblem("customer_id", "not_found", "names no customer"),
};
