export { matchCustomer, type Prospect } from "./match.ts";
export { isLive } from "./snapshot.ts";
