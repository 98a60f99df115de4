import { sql } from "drizzle-orm";
import { resource } from "#contract/resource.ts";
import { salesOrders } from "../tables.ts";
import { listedOrderExample } from "./examples.ts";
import { ListedOrder } from "./staff-schema.ts";
import { renderListedOrder, selectOrders } from "./staff-snapshot.ts";

/** What events tell of orders: all that the company knows of them. */
export const orderResource = resource({
  name: "order",
  scope: "orders:read",
  record: ListedOrder,
  example: listedOrderExample,
  select: (_ctx, id) => selectOrders(sql`${salesOrders.id} = ${id}`),
  render: renderListedOrder,
});
