import { productListRoutes, productRoutes } from "./products/routes.ts";
import { stockRoutes } from "./stock/adjust-stock.ts";
import { unitRoutes } from "./units/units.ts";

/** The units come before what takes an id, for their path would be read as one. */
export const productRouters = [productListRoutes, unitRoutes, productRoutes, stockRoutes] as const;
