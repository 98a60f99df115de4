import { type SQL, sql } from "drizzle-orm";
import { matchCustomer } from "#features/customers";
import type { Ctx, ReadCtx } from "#platform/context.ts";
import type { Refusals } from "#platform/write/atomic.ts";
import { knownLanguage } from "#shared/text/language.ts";
import { type OwnedPackage, requireOwnPackage } from "../packages/own-package.ts";
import type { Payer } from "../payments/start-payment.ts";
import type { BookingCreate } from "./schema.ts";

type Named = Pick<BookingCreate, "customer">;

/** What is booked, whoever books it for whom. */
export type BookingWish = Omit<BookingCreate, "customer">;

/** For whom it is booked, and what staff may say besides. */
export type Terms = {
  /** Whom limits count; null for whom they do not. */
  payer: Payer | null;
  /** Whose it is; `owned` is the package that pays. */
  customer: (owned: OwnedPackage | null) => { statements: SQL[]; id: SQL };
  /** The package that pays, where it is the customer's own. */
  requirePackage: (found: OwnedPackage | null) => OwnedPackage;
  confirmed?: boolean;
  paid?: boolean;
  force?: boolean;
  untold?: boolean;
  refusals?: Refusals;
};

/** The terms of a customer who is told by name, and matched or made. */
export function ofPayer(ctx: Ctx, body: Named): Pick<Terms, "customer" | "requirePackage"> {
  return {
    customer: (owned) =>
      owned === null
        ? matchCustomer(ctx, prospectOf(ctx, body), "booking")
        : { statements: [], id: sql`${owned.customer_id}` },
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
