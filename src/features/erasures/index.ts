export { keptUntil, UNDER_GST_LAW } from "./kept.ts";
export {
  among,
  customersOf,
  isMatched,
  isTheirContact,
  type Known,
  lastNineOf,
  lastNines,
  MOST_AT_ONCE,
  ofPerson,
  type Person,
  personEraser,
  personKeeper,
} from "./person.ts";
export type { Kept } from "./schema.ts";
