export { earnLessons } from "./earn.ts";
export { type SoldLessons, sellLessons } from "./sell.ts";
export { removedEarnings, takeBackEarning } from "./take-back.ts";
