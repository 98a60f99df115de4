import { sql } from "drizzle-orm";
import { resource } from "#contract/resource.ts";
import { customerExample } from "./examples.ts";
import { Customer } from "./schema.ts";
import { renderCustomer, renderWritten, selectAnyCustomer } from "./snapshot.ts";
import { customers } from "./tables.ts";

/** What events tell of customers; one that was deleted too. */
export const customerResource = resource({
  name: "customer",
  scope: "customers:read",
  record: Customer,
  example: customerExample,
  select: (_ctx, id) => selectAnyCustomer(sql`${customers.id} = ${id}`),
  render: renderCustomer,
  alsoRenderedBy: [renderWritten],
  upgrades: [(row: object) => ({ ...row, language: null })],
});
