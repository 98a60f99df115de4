import type { UniqueViolations } from "#core/write/unique-violations.ts";

/** The unique indexes that a client can break, by the columns or the name that the database gives, and the code of each. */
export const uniqueViolations: UniqueViolations = {
  "accounts.name": "duplicate_name",
  "applications.job_id, applications.email_norm": "duplicate_application",
  areas_sibling: "duplicate_name",
  "categories.name": "duplicate_name",
  "chatapp_numbers.phone_number_id": "conflict",
  "companies.slug": "conflict",
  "contact_optouts.channel, contact_optouts.e164": "conflict",
  "contact_optouts.channel, contact_optouts.match": "conflict",
  "customers.gstin": "duplicate_customer",
  "departments.name": "duplicate_name",
  "email_suppressions.email, email_suppressions.scope": "conflict",
  "employees.employee_code": "conflict",
  "instructor_fields.key": "duplicate_name",
  iterations_sibling: "duplicate_name",
  "jobs.slug": "conflict",
  "lead_sources.slug": "conflict",
  "payment_modes.name": "duplicate_name",
  "products.sku": "duplicate_sku",
  "projects.code": "duplicate_project_code",
  "sms_templates.template_id": "conflict",
  "sprints.project_id": "active_sprint_exists",
  "units.code": "conflict",
  "work_item_statuses.name": "duplicate_name",
  "work_item_statuses.slug": "conflict",
};
