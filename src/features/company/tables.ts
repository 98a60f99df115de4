export { employees } from "./employees/tables.ts";
export { profile } from "./profile/tables.ts";
