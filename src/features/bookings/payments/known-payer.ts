import { type SQL, sql } from "drizzle-orm";
import { customers } from "#tables/customers";
import { bookings } from "../bookings/tables.ts";

/**
 * Whether whoever made a booking may be shown its customer's record: it was made by the same call, or by no browser. A
 * visitor is matched by what anybody may know of another: an e-mail address, or digits of a phone number.
 */
export const isTheirOwn: SQL<number> = sql`((${bookings.client} IS NULL OR ${customers.createdAt} = ${bookings.createdAt})
  AND ${customers.name} <> 'erased')`;

const shown = (column: SQL) => sql<string | null>`iif(${isTheirOwn}, ${column}, NULL)`;

/** Who pays for a booking, as far as the gateway may show it to the payer. */
export const payer = {
  name: shown(sql`${customers.name}`),
  email: shown(sql`${customers.email}`),
  phone: shown(sql`${customers.phone}`),
};
