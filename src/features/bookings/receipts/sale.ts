import { eq, type SQL, sql } from "drizzle-orm";
import type { ReadCtx } from "#core/context.ts";
import { type Given, keptQuery } from "#core/sql/kept-statements.ts";
import { type OrderBuyer, type PaidLesson, selectSeller } from "#features/invoices";
import type { GstTreatment } from "#shared/gst/treatments.ts";
import { pick } from "#shared/pick.ts";
import { bookingSettings, bookings } from "#tables/bookings";
import { customers } from "#tables/customers";
import { products, units } from "#tables/products";

const product = {
  ...pick(products, "id", "name", "hsnSacCode", "taxRate"),
  gstTreatment: sql<GstTreatment>`coalesce(${products.gstTreatment}, iif(${products.taxRate} > 0, 'taxable', 'nil_rated'))`,
  unit: units.code,
};
const issueInvoices = sql<number | null>`(SELECT ${bookingSettings.issueInvoices} FROM ${bookingSettings})`;

/** The query for a booking with all that the document of its payment is made from. */
export const selectSale = keptQuery((db, { id }: Given<{ id: string }>) =>
  db
    .select({ product, booking: bookings, customer: customers, issueInvoices })
    .from(bookings)
    .innerJoin(products, eq(products.id, bookings.productId))
    .innerJoin(units, eq(units.id, products.unitId))
    .innerJoin(customers, eq(customers.id, bookings.customerId))
    .where(eq(bookings.id, id)),
);
export { selectSeller };

/** The query for a course, where its booking is still to be made. */
export const selectCourse = keptQuery((db, { id }: Given<{ id: number | null }>) =>
  db
    .select({ product, issueInvoices })
    .from(products)
    .innerJoin(units, eq(units.id, products.unitId))
    .where(eq(products.id, id)),
);

type Sale = {
  product: PaidLesson["product"];
  booking: typeof bookings.$inferSelect;
  customer: typeof customers.$inferSelect;
};

/** A booking as its document has it. */
export function paidLesson(ctx: ReadCtx, { product, booking, customer }: Sale): PaidLesson {
  const { id, currency, totalAmount: amount, contactName: name, customerId } = booking;
  const typed = name === null ? null : { name, email: booking.contactEmail, phone: booking.contactPhone };
  const buyer = buyerOf(ctx, typed, customer);
  return { bookingId: id, bookingNumber: numberOf(id), currency, amount, product, customerId, buyer };
}

/** The number of a booking, also of one that is made in the same batch. */
export function numberOf(bookingId: string): SQL<string> {
  return sql`(SELECT ${bookings.bookingNumber} FROM ${bookings} WHERE ${bookings.id} = ${bookingId})`;
}

type Typed = { name: string; email: string | null; phone: string | null };

/** Who a lesson is sold to: the contact as typed, who may be another person than the matched customer; else that record. */
export function buyerOf(
  { company }: Pick<ReadCtx, "company">,
  typed: Typed | null,
  record: typeof customers.$inferSelect | undefined,
): OrderBuyer {
  if (typed === null && record !== undefined) return { ...record, countryText: null, shippingAddress: null };
  const { country } = company;
  return {
    ...{ name: typed?.name ?? "", email: typed?.email ?? null, phone: typed?.phone ?? null },
    ...{ companyName: null, gstin: null, gstCategory: country === "IN" ? "unregistered" : "overseas" },
    ...{ address: null, city: null, state: "", stateCode: null, pincode: "" },
    ...{ country, countryText: null, shippingAddress: null },
  };
}
