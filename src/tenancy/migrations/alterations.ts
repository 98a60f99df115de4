import type { Alteration } from "./missing-and-changed.ts";

// Each changes what one file of the schema made before its text was changed, and is named by a number and that file, as
// `0001_06_customers`. Its SQL stands in `migrations/{company,control}/alterations/`, and beside it, as
// `0001_06_customers.before.sql`, the text that the file had.

/** What changes companies' databases that exist. */
export const COMPANY_ALTERATIONS: readonly Alteration[] = [];

/** What changes a control database that exists. */
export const CONTROL_ALTERATIONS: readonly Alteration[] = [];
