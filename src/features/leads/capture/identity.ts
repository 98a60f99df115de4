import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { lastDigits } from "#shared/contact/phone.ts";
import { type LeadForm, usablePhone } from "../leads/schema.ts";
import { leads } from "../leads/tables.ts";

const known = alias(leads, "known");

/** Who sent a submission: leads are told apart by the e-mail address, else by the last digits of the phone. */
export type Identity = { email: string; phone: string | null } | { email: null; phone: string };

/** Who sent a form. */
export function identityOf(form: LeadForm): Identity {
  const phone = usablePhone(form.phone);
  const digits = phone === null ? null : lastDigits(phone);
  if (form.email) return { email: form.email.toLowerCase(), phone: digits };
  return { email: null, phone: digits ?? "" };
}

/**
 * The open lead of this person: by the e-mail address, else by the phone; of several by phone, one without an address
 * comes first.
 */
export function isOpenFor({ email, phone }: Identity): SQL {
  return email === null
    ? sql`${leads.id} = (SELECT ${known.id} FROM ${leads} AS ${known}
        WHERE ${known.status} = 'new' AND ${known.phoneLast9} = ${phone}
        ORDER BY ${known.emailNorm} IS NOT NULL, ${known.id} LIMIT 1)`
    : sql`${leads.status} = 'new' AND ${leads.emailNorm} = ${email}`;
}
