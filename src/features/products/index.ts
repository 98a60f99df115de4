export { isTaxed, priceWithTax } from "./products/price.ts";
export { pagesOf, productSource } from "./products/record.ts";
export { restoreStock, returnStock, sellStock, takeBackReturned } from "./stock/movements.ts";
export { inUnitOf, type UnitRow, unitsOf } from "./units/unit-quantity.ts";
