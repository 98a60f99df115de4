import { type SQL, sql } from "drizzle-orm";
import { lastDigits } from "#shared/contact/phone.ts";
import { leads } from "#tables/leads";
import type { LeadForm } from "../leads/schema.ts";
import { usablePhone } from "../leads/usable-phone.ts";

/** Who sent a submission: leads are distinguished by the e-mail address, else by the last digits of the phone. */
export type Identity = { email: string; phone: string | null } | { email: null; phone: string };

/** Who sent a form; one whose phone number is lost is known by the `hash` of what was sent alone. */
export function identityOf(form: LeadForm, hash: string): Identity {
  const phone = usablePhone(form.phone);
  const digits = phone === null ? null : lastDigits(phone);
  if (form.email) return { email: form.email.toLowerCase(), phone: digits };
  return { email: null, phone: digits ?? hash };
}

/**
 * The open lead of this person: by the e-mail address, else by the phone among those that gave no address. One that gave an
 * address may be another person's: the writer typed the number.
 */
export function isOpenFor({ email, phone }: Identity): SQL {
  return email === null
    ? sql`${leads.status} = 'new' AND ${leads.emailNorm} IS NULL AND ${leads.phoneLast9} = ${phone}`
    : sql`${leads.status} = 'new' AND ${leads.emailNorm} = ${email}`;
}
