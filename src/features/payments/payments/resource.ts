import { sql } from "drizzle-orm";
import { resource } from "#api/operations/resource.ts";
import { paymentExample } from "./examples.ts";
import { Payment } from "./schema.ts";
import { renderPayment, renderRecorded, selectAnyPayment } from "./snapshot.ts";
import { payments } from "./tables.ts";

/** The data of payment events, also of refunded payments. */
export const paymentResource = resource({
  name: "payment",
  scope: "payments:read",
  record: Payment,
  example: paymentExample,
  select: (_ctx, id) => selectAnyPayment(sql`${payments.id} = ${id}`),
  render: renderPayment,
  alsoRenderedBy: [renderRecorded],
});
