import type { LeadForm } from "../leads/schema.ts";

const QUICKEST_MS = 3_000;

/** Whether a bot filled the form in: by its hidden field, its speed, or links in the name. */
export function isSpam(form: LeadForm): boolean {
  const quick = form._elapsed_ms != null && form._elapsed_ms < QUICKEST_MS;
  const addresses = form.name?.match(/https?:\/\/|www\./gi) ?? [];
  return form._hp != null || quick || addresses.length > 1;
}
