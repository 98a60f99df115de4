import { keptQuery } from "#platform/sql/kept-statements.ts";
import { profile } from "#tables/company";

/** The query for whether the company is registered for GST, which decides what a customer must say of a state. */
export const selectSeller = keptQuery((db) => db.select({ gstin: profile.gstin }).from(profile));
