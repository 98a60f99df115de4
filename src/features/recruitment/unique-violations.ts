import type { UniqueViolations } from "#platform/write/unique-violations.ts";

/** What the unique indexes of these tables mean to a client. */
export const uniqueViolations: UniqueViolations = {
  "departments.operation": null,
  "departments.name": "duplicate_name",
  "jobs.operation": null,
  "jobs.slug": "conflict",
  "applications.operation": null,
  "applications.application_number": null,
  "applications.resume_path": null,
  "applications.job_id, applications.email_norm": "duplicate_application",
};
