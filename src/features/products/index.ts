export { type ProductRow, selectProductPage, selectProducts } from "./snapshot.ts";
export { restoreStock, sellStock } from "./stock.ts";
