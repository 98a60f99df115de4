import { sql } from "drizzle-orm";
import { resource } from "#contract/resource.ts";
import { paymentExample } from "./examples.ts";
import { Payment } from "./schema.ts";
import { renderPayment, renderRecorded, selectAnyPayment } from "./snapshot.ts";
import { payments } from "./tables.ts";

/** What events tell of payments; one that was refunded too. */
export const paymentResource = resource({
  name: "payment",
  scope: "payments:read",
  record: Payment,
  example: paymentExample,
  select: (_ctx, id) => selectAnyPayment(sql`${payments.id} = ${id}`),
  render: renderPayment,
  alsoRenderedBy: [renderRecorded],
});
