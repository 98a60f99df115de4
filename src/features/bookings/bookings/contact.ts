import { type Column, type SQL, sql } from "drizzle-orm";
import { phoneLast9 } from "#shared/contact/phone.ts";
import type { Language } from "#shared/text/language.ts";
import { bookings } from "#tables/bookings";
import { customers } from "#tables/customers";

/** Who booked, as they typed it. */
export type TypedContact = {
  name: string;
  email: string | null;
  phone: string | null;
  language: Language | null;
};

/** In the place of a name that was erased. */
export const ERASED = "erased";

const ERASED_TEXT = sql.raw(`'${ERASED}'`);

const isOfRecord = sql`${bookings.contactName} IS NULL AND ${bookings.customerConfirmed} = 1`;

function typedOr<Value>(typed: Column, ofRecord: SQL): SQL<Value | null> {
  return sql<Value | null>`iif(${isOfRecord}, ${ofRecord}, ${typed})`;
}

/**
 * The receiver of a booking's messages, and the name on its page: the person who typed it, because the matched customer
 * may be another person. When staff named the customer, that record as it is now. All null once it is erased.
 */
export const contact = {
  name: sql<string | null>`nullif(coalesce(${bookings.contactName},
    iif(${bookings.customerConfirmed} = 1, ${customers.name}, NULL)), ${ERASED_TEXT})`,
  email: typedOr<string>(bookings.contactEmail, sql`${customers.email}`),
  phone: typedOr<string>(bookings.contactPhone, sql`${customers.phone}`),
  // The company's own choice for the customer comes first, where the contact is that customer or has its address.
  language: sql<Language | null>`coalesce(iif(${bookings.customerConfirmed} = 1
    OR ${customers.emailLower} = ${bookings.contactEmailLower}, ${customers.language}, NULL), ${bookings.contactLanguage})`,
};

/** The contact as a row has it, with what it is found by; all null where staff named the customer. */
export function contactColumns(typed: TypedContact | null) {
  return {
    contactName: typed?.name ?? null,
    contactEmail: typed?.email ?? null,
    contactEmailLower: typed?.email?.toLowerCase() ?? null,
    contactPhone: typed?.phone ?? null,
    contactLast9: typed?.phone == null ? null : phoneLast9(typed.phone),
    contactLanguage: typed?.language ?? null,
  };
}
