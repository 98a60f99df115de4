export { employees } from "./employees/tables.ts";
export { LOGOS, profile } from "./profile/tables.ts";
