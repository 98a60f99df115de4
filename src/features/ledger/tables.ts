export { accounts } from "./accounts/tables.ts";
export { journalEntries, journalLines } from "./entries/tables.ts";
