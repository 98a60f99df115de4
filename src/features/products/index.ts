export { restoreStock, sellStock } from "./stock.ts";
