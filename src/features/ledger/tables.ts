export { accounts } from "./accounts/tables.ts";
export { journalEntries, journalLines } from "./entries/tables.ts";
export { booksSettings } from "./settings/tables.ts";
