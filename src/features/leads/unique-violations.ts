import type { UniqueViolations } from "#platform/write/unique-violations.ts";

/** What the unique indexes of these tables mean to a client. */
export const uniqueViolations: UniqueViolations = {
  "lead_sources.slug": "conflict",
  "leads.lead_number": null,
  "leads.email_norm": null,
  "leads.phone_last9": null,
  "lead_submissions.operation": null,
  "lead_submissions.attachment_path": null,
};
