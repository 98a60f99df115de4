export { inUnitOf, type UnitRow, unitsOf } from "./convert.ts";
export { priceWithTax } from "./price.ts";
export { type ProductRow, selectProductPage, selectProducts } from "./snapshot.ts";
export { restoreStock, sellStock } from "./stock.ts";
