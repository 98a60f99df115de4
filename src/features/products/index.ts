export { priceWithTax, taxOnTop } from "./products/price.ts";
export { type ShownProductRow, selectShownPage, selectShownProducts } from "./products/snapshot.ts";
export { restoreStock, sellStock } from "./stock/movements.ts";
export { inUnitOf, type UnitRow, unitsOf } from "./units/unit-quantity.ts";
