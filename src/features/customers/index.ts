export { matchCustomer, type Visitor } from "./match.ts";
export { isLive } from "./snapshot.ts";
