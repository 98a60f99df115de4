import type { UniqueViolations } from "#platform/write/unique-violations.ts";

/** What the unique indexes of these tables mean to a client. */
export const uniqueViolations: UniqueViolations = {
  "employees.operation": null,
  "employees.employee_code": "conflict",
};
