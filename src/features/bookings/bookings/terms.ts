import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Ctx, ReadCtx } from "#core/context.ts";
import type { Refusals } from "#core/write/atomic.ts";
import { matchCustomer } from "#features/customers";
import { knownLanguage } from "#shared/text/language.ts";
import { customers } from "#tables/customers";
import { type OwnedPackage, requireOwnPackage } from "../packages/own-package.ts";
import type { Payer } from "../payments/start-payment.ts";
import type { TypedContact } from "./contact.ts";
import type { BookingCreate } from "./schema.ts";
import type { StaffBookingCreate } from "./staff-schema.ts";

type Named = Pick<BookingCreate, "customer">;

/** What is booked, without who books and for whom. */
export type BookingWish = Omit<BookingCreate, "customer">;

/** For whom it is booked, and what staff may say besides. */
export type Terms = {
  /** Whom limits count; null for whom they do not. */
  payer: Payer | null;
  /** The receiver of notifications, as typed; null for the customer's own record. */
  contact: TypedContact | null;
  /** Whose it is, and whether that is sure; `owned` is the package that pays. */
  customer: (owned: OwnedPackage | null) => { statements: SQL[]; id: SQL; confirmed: SQL };
  /** The package that pays, where it is the customer's own. */
  requirePackage: (found: OwnedPackage | null) => OwnedPackage;
  staff?: Pick<StaffBookingCreate, "status" | "payment_status" | "force" | "notify">;
  /** The statements of the document of its payment, by the price and the customer. */
  booked?: (paid: { bookingId: string; amount: number; customerId: SQL }) => readonly SQLWrapper[];
  refusals?: Refusals;
};

/**
 * The terms of a customer who is given by name, and matched or made. The API trusts a company's own server that this is
 * the customer; it trusts a browser only when it makes the customer from what was typed.
 */
export function ofPayer(ctx: Ctx, body: Named): Pick<Terms, "contact" | "customer" | "requirePackage"> {
  const { language, ...typed } = prospectOf(ctx, body);
  const { name, email, phone } = typed;
  const isMade = sql`EXISTS (SELECT 1 FROM ${customers} WHERE ${customers.operation} = ${ctx.call.id})`;
  const confirmed = ctx.actor.type === "publishable" ? isMade : sql`${1}`;
  return {
    contact: { name, email, phone, language },
    customer: (owned) =>
      owned === null
        ? { ...matchCustomer(ctx, { ...typed, language }, "booking"), confirmed }
        : { statements: [], id: sql`${owned.customer_id}`, confirmed },
    requirePackage: (found) => requireOwnPackage(ctx, found, payerOf(body)),
  };
}

/** The customer as the payment and the limits know them. */
export function payerOf({ customer: { name, email, phone } }: Named): Payer {
  return { name, email: email ?? null, phone: phone ?? null };
}

function prospectOf(ctx: ReadCtx, body: Named) {
  const { city, postcode, language } = body.customer;
  return {
    ...payerOf(body),
    address: null,
    city: city ?? null,
    state: null,
    pincode: postcode ?? null,
    country: ctx.company.country,
    language: knownLanguage(language ?? null) ?? null,
  };
}
