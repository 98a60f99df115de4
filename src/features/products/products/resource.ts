import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { productExample } from "./examples.ts";
import { Product } from "./schema.ts";
import { renderProduct, selectProducts } from "./snapshot.ts";
import { products } from "./tables.ts";

/** The data of product events, with the stock. */
export const productResource = resource({
  name: "product",
  scope: "products:read",
  record: Product,
  example: productExample,
  select: (_ctx, id) => selectProducts(sql`${products.id} = ${id}`),
  render: renderProduct,
});
