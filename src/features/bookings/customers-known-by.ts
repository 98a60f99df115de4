import { type SQL, sql } from "drizzle-orm";
import { isLive } from "#features/customers";
import { phoneLast9 } from "#shared/contact/phone.ts";
import { customers } from "#tables/customers";

/** By what a customer of a booking page is known. */
export type Contact = { email: string | null; phone: string | null };

/** The SELECT of the ids of all customers with this e-mail address, or with this phone. */
export function customersKnownBy({ email, phone }: Contact): SQL {
  const by = (condition: SQL) =>
    sql`SELECT ${customers.id} FROM ${customers} WHERE ${condition} AND ${isLive}`;
  const last9 = phone === null ? null : phoneLast9(phone);
  return sql`${by(sql`${customers.emailLower} = ${email?.toLowerCase() ?? null}`)}
    UNION ${by(sql`${customers.phoneLast9} = ${last9}`)}`;
}
