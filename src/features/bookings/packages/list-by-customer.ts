import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { readAll } from "#core/sql/read-records.ts";
import { withAsciiHost } from "#shared/contact/email-address.ts";
import { phoneLast9 } from "#shared/contact/phone.ts";
import { cleanText, phoneText } from "#shared/fields/text.ts";
import { bookingPackages } from "#tables/bookings";
import { customersKnownBy } from "../customers-known-by.ts";
import { bookingPackage, type PackageRow, renderPackage } from "./record.ts";

const query = z
  .object({
    customer_email: cleanText({ min: 1, max: 255 }).overwrite(withAsciiHost).optional(),
    customer_phone: phoneText({ min: 1, max: 30 }).optional(),
  })
  .refine(({ customer_email: email, customer_phone: phone }) => email !== undefined || phone !== undefined, {
    path: ["customer_email"],
    error: "or customer_phone is required",
  });

export const packageRoutes = new Router("Bookings", "/packages").all({ listPackages }, "/", {
  summary: "List a customer's packages",
  description:
    "By e-mail address or phone, newest first. A bought package is found by what its buyer typed. Only for secret keys: the caller must know that the address is its visitor's.",
  query,
  record: { schema: bookingPackage.schema, render: renderPackage },
  envelope: { success: "packages" },
});

/**
 * The packages of this e-mail address or phone, newest first: those whose buyer typed it, and those of the customers with it
 * that are known to be theirs.
 */
async function listPackages(
  ctx: CallCtx,
  _params: unknown,
  asked: z.infer<typeof query>,
): Promise<PackageRow[]> {
  const { customer_email: email = null, customer_phone: phone = null } = asked;
  const { id, customerId, customerConfirmed, contactEmailLower, contactLast9 } = bookingPackages;
  const by = (condition: SQL) => sql`SELECT ${id} FROM ${bookingPackages} WHERE ${condition}`;
  const theirs = sql`${by(sql`${customerId} IN (${customersKnownBy({ email, phone })}) AND ${customerConfirmed} = 1`)}
    UNION ${by(sql`${contactEmailLower} = ${email?.toLowerCase() ?? null}`)}
    UNION ${by(sql`${contactLast9} = ${phone === null ? null : phoneLast9(phone)}`)}`;
  return readAll(ctx, bookingPackage.select(sql`${id} IN (${theirs}) ORDER BY ${id} DESC`));
}
