import type { LeadForm } from "../leads/schema.ts";

const QUICKEST_MS = 3_000;

/** Whether a bot filled the form in: by its hidden field, its speed, or links in the name. */
export function isSpam(form: LeadForm): boolean {
  const quick = form._elapsed_ms != null && form._elapsed_ms < QUICKEST_MS;
  return form._hp != null || quick || addressesIn(form.name ?? "") > 1;
}

function addressesIn(text: string): number {
  return text.match(/https?:\/\/|www\./gi)?.length ?? 0;
}
