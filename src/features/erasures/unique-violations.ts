import type { UniqueViolations } from "#platform/write/unique-violations.ts";

/** What the unique indexes of this table mean to a client. */
export const uniqueViolations: UniqueViolations = { "person_erasures.operation": null };
