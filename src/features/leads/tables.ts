export { leadSubmissions, leads } from "./leads/tables.ts";
