export { workItems } from "./work-items/tables.ts";
