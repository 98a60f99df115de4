import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { salesOrders } from "../tables.ts";
import { listedOrderExample } from "./examples.ts";
import { ListedOrder } from "./staff-schema.ts";
import { renderListedOrder, selectOrders } from "./staff-snapshot.ts";

/** The data of order events: all that the company knows of an order. */
export const orderResource = resource({
  name: "order",
  scope: "orders:read",
  record: ListedOrder,
  example: listedOrderExample,
  select: (_ctx, id) => selectOrders(sql`${salesOrders.id} = ${id}`),
  render: renderListedOrder,
});
