import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { customerExample } from "./examples.ts";
import { customer, renderWritten } from "./record.ts";
import { selectAnyCustomer } from "./snapshot.ts";
import { customers } from "./tables.ts";

/** The data of customer events, also of deleted customers. */
export const customerResource = resource({
  name: "customer",
  scope: "customers:read",
  record: customer.schema,
  example: customerExample,
  select: (_ctx, id) => selectAnyCustomer(sql`${customers.id} = ${id}`),
  render: customer.render,
  alsoRenderedBy: [renderWritten],
});
