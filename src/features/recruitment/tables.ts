export { applications } from "./applications/tables.ts";
export { jobs } from "./jobs/tables.ts";
