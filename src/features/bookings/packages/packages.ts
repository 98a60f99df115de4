import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { refuseWhen } from "#core/write/atomic.ts";
import { collectionVerbs } from "#core/write/collection.ts";
import { idReference } from "#shared/fields/ids.ts";
import { instant } from "#shared/fields/instant.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";
import { fieldProblem } from "#shared/problem.ts";
import { bookingPackages, bookings } from "#tables/bookings";
import { products } from "#tables/products";
import { CUSTOMER_GONE, requireCustomer } from "../bookings/known-customer.ts";
import { courseJson } from "../courses/courses.ts";
import { bookingPackage, renderPackage } from "./record.ts";

const sent = z.object({
  name: cleanText({ min: 1, max: 255 }),
  sessions_total: z.int().min(1).max(1_000),
  expires_at: instant.nullable().describe("Null: never."),
  status: z.enum(["active", "cancelled"]),
});
const create = sent
  .extend({
    customer_id: idReference,
    product_id: idReference.meta({ description: "The lesson that each session is for." }),
  })
  .partial({ name: true, expires_at: true, status: true });
const patch = patchOf(
  sent.extend({
    customer_id: idReference.describe(
      "The customer who has the package. This confirms the customer, even if the buyer only typed the same number.",
    ),
  }),
);

const CHANGED = ["package", "booking"] as const;

const verbs = collectionVerbs({
  record: bookingPackage,
  create,
  columns: (body, isNew) => ({
    ...columnsOf(bookingPackages, body),
    ...(isNew ? { name: body.name ?? nameOf(body.product_id), status: body.status ?? "active" } : {}),
    customerConfirmed: body.customer_id === undefined ? undefined : 1,
  }),
  guards: ({ customer_id: customerId, product_id: productId }) => [
    ...(customerId === undefined ? [] : [requireCustomer(customerId)]),
    ...(productId === undefined ? [] : [refuseWhen(isNoLesson(productId), "product_gone")]),
  ],
  usedBy: (id) => sql`EXISTS (SELECT 1 FROM ${bookings} WHERE ${bookings.bookingPackageId} = ${id})`,
  refusals: {
    ...CUSTOMER_GONE,
    product_gone: () =>
      fieldProblem("product_id", "not_a_lesson", "names no active lesson course", "invalid_product"),
  },
});

export const packageStaffRoutes = new Router("Settings: Booking packages", "/booking-packages").collection({
  ids: { one: "Package", list: "listPackageSettings" },
  words: ["a package", "all booking packages"],
  record: { schema: bookingPackage.schema, render: renderPackage },
  create,
  patch,
  verbs,
  problems: { create: ["invalid_product"], update: ["package_exhausted"], delete: ["in_use"] },
  changes: { create: CHANGED, update: CHANGED, delete: CHANGED },
  notes: {
    create: { description: "Prepaid lessons of one customer." },
    delete: { description: "Refused if a booking has used it." },
  },
});

function nameOf(productId = 0): SQL<string> {
  return sql`(SELECT ${products.name} FROM ${products} WHERE ${products.id} = ${productId})`;
}

function isNoLesson(productId: number): SQL {
  return sql`coalesce(json_extract(${courseJson(productId)}, '$.is_package'), 1) <> 0`;
}
