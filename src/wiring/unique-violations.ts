import type { UniqueViolations } from "#core/write/unique-violations.ts";

/**
 * The unique indexes that a client can break, by the columns or the name that the database gives: the code of each, and
 * the member of the body that must be unique.
 */
export const uniqueViolations: UniqueViolations = {
  "accounts.name": { code: "duplicate_name", field: "name" },
  "applications.job_id, applications.email_norm": { code: "duplicate_application", field: "email" },
  areas_sibling: { code: "duplicate_name", field: "name" },
  "categories.name": { code: "duplicate_name", field: "name" },
  "chatapp_numbers.phone_number_id": { code: "conflict", field: "config.phone_number_id" },
  "companies.slug": { code: "conflict", field: "slug" },
  "contact_optouts.channel, contact_optouts.e164": { code: "conflict", field: "address" },
  "contact_optouts.channel, contact_optouts.match": { code: "conflict", field: "address" },
  "customers.gstin": { code: "duplicate_customer", field: "gstin" },
  "departments.name": { code: "duplicate_name", field: "name" },
  "email_suppressions.email, email_suppressions.scope": { code: "conflict", field: "email" },
  "employees.employee_code": { code: "conflict", field: "employee_code" },
  "exchange_rates.currency, exchange_rates.rate_date": { code: "conflict", field: "rate_date" },
  "instructor_fields.key": { code: "duplicate_name", field: "key" },
  iterations_sibling: { code: "duplicate_name", field: "name" },
  "jobs.slug": { code: "conflict", field: "slug" },
  "lead_sources.slug": { code: "conflict", field: "slug" },
  "payment_modes.name": { code: "duplicate_name", field: "name" },
  "products.sku": { code: "duplicate_sku", field: "sku" },
  "projects.code": { code: "duplicate_project_code", field: "code" },
  "settlements.gateway, settlements.payout_reference": {
    code: "duplicate_settlement",
    field: "payout_reference",
  },
  "sms_templates.template_id": { code: "conflict", field: "template_id" },
  "sprints.project_id": { code: "active_sprint_exists" },
  "units.code": { code: "conflict", field: "code" },
  "work_item_statuses.name": { code: "duplicate_name", field: "name" },
  "work_item_statuses.slug": { code: "conflict", field: "slug" },
};
