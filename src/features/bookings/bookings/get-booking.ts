import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { externalIdsOf } from "#core/sql/external-id.ts";
import { type JsonRow, jsonObject } from "#core/sql/json.ts";
import { type Given, keptStatement } from "#core/sql/kept-statements.ts";
import { readOne } from "#core/sql/read-records.ts";
import { visitorIn } from "#core/visitor-token.ts";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { bookingSettings, bookings } from "#tables/bookings";
import { invoices } from "#tables/invoices";
import { lessonSales } from "#tables/lessons";
import { products } from "#tables/products";
import { backOnCancel, moneyBack } from "../payments/given-back.ts";
import { backByPolicy } from "../payments/refund-on-cancel.ts";
import type { BookingParams } from "./schema.ts";
import {
  type BookedRow,
  booked,
  bookingSource,
  cancelDeadline,
  type Detailed,
  statusAt,
} from "./snapshot.ts";

const terms = {
  ...moneyBack,
  amount: bookings.totalAmount,
  payment_status: bookings.paymentStatus,
  start_at: bookings.startAt,
  cancel_window_hours: bookingSettings.cancelWindowHours,
};
const bookedCourse = { id: products.id, name: products.name };
type SelectedRow = BookedRow & {
  course: JsonRow<typeof bookedCourse>;
  external_id: string | null;
  invoice_token: string | null;
  comes_back: number | null;
  terms: JsonRow<typeof terms>;
};

const selectRead = keptStatement(
  ({
    now,
    id,
    isOwn,
    mayOpen,
    visitor,
    comesBack,
  }: Given<{
    now: number;
    id: string;
    isOwn: number;
    mayOpen: number;
    visitor: string | null;
    comesBack: SQL<number | null>;
  }>) => sql<SelectedRow>`SELECT json_set(${booked.columns()}, '$.status', ${statusAt(now)},
      '$.invoice_token', (SELECT ${invoices.publicToken}
        FROM ${lessonSales} JOIN ${invoices} ON ${invoices.id} = ${lessonSales.invoiceId}
        WHERE ${lessonSales.bookingId} = ${bookings.id} AND ${lessonSales.endedBy} IS NULL AND ${invoices.status} <> 'voided'
          AND (${mayOpen} = 1 OR ${bookings.visitor} = ${visitor})),
      '$.external_id', iif(${isOwn} = 1, (${externalIdsOf("booking", bookings.id)} LIMIT 1), NULL),
      '$.course', json((SELECT ${jsonObject(bookedCourse)} FROM ${products} WHERE ${products.id} = ${bookings.productId})),
      '$.comes_back', ${comesBack}, '$.terms', ${jsonObject(terms)}) AS snapshot
      FROM ${bookingSource()} CROSS JOIN ${bookingSettings} WHERE ${bookings.id} = ${id}`,
);

/** A booking as it is now; its id is enough to read it, but for the address of its invoice. */
export async function getBooking(ctx: Ctx, { id }: BookingParams): Promise<BookedRow & Detailed> {
  const { now } = ctx;
  const visitor = await visitorIn(ctx, ctx.client.visitorToken);
  const mayOpen = Number(ctx.client.holds("invoices:read"));
  const isOwn = Number(ctx.actor.type === "secret");
  const select = selectRead({ now, id, isOwn, mayOpen, visitor, comesBack: backByPolicy(ctx) });
  const {
    invoice_token: token,
    terms: money,
    comes_back,
    external_id,
    ...booking
  } = await readOne(ctx, select);
  const until = cancelDeadline({ ...money, status: booking.status }, now);
  const back = backOnCancel({ ...money, comes_back });
  return {
    ...booking,
    ...(external_id !== null && { external_id }),
    ...(token === null ? {} : { invoice_url: `${ctx.origin}/i/${ctx.company.slug}/${token}` }),
    cancellation: until === null ? null : { until: timestampToWire(until), refund_amount: moneyToWire(back) },
  };
}
