import { sql } from "drizzle-orm";
import { resource } from "#contract/resource.ts";
import { productExample } from "./examples.ts";
import { Product } from "./schema.ts";
import { renderProduct, selectProducts } from "./snapshot.ts";
import { products } from "./tables.ts";

/** What events tell of products, and of their stock. */
export const productResource = resource({
  name: "product",
  scope: "products:read",
  record: Product,
  example: productExample,
  select: (_ctx, id) => selectProducts(sql`${products.id} = ${id}`),
  render: renderProduct,
});
