export { categories } from "./categories/tables.ts";
export { products } from "./products/tables.ts";
export { stockMovements } from "./stock/tables.ts";
export { units } from "./units/tables.ts";
