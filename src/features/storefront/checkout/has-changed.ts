import { type SQL, sql } from "drizzle-orm";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { type AccountRow, isAsRead } from "#features/gateway-payments";
import { products } from "#tables/products";
import { isOnSale } from "../catalogue/catalogue.ts";
import type { Priced } from "./price-order.ts";

const ID = sql.raw("value ->> '$.id'");
const PRICED = ["sellingPrice", "taxRate", "priceIncludesTax", "isPackage", "sessions"] as const;

const asRead = sql.join(
  PRICED.map((name) => sql`${products[name]} IS ${sql.raw(`value ->> '$.${name}'`)}`),
  sql` AND `,
);
const changed = keptStatement(
  (given: Given<{ priced: string; count: number; id: number; updatedAt: number }>) =>
    sql`(SELECT count(*) FROM json_each(${given.priced}) JOIN ${products} ON ${products.id} = ${ID} AND ${asRead} WHERE ${isOnSale})
      <> ${given.count} OR NOT ${isAsRead(given)}`,
);

/** The condition that a product is not on sale any more, or not as it was priced, or that the gateway's account is another. */
export function hasChanged(catalogue: readonly Priced[], { id, updatedAt }: AccountRow): SQL {
  const priced = JSON.stringify(catalogue, ["id", ...PRICED]);
  return changed({ priced, count: catalogue.length, id, updatedAt });
}
