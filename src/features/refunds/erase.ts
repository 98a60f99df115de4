import { sql } from "drizzle-orm";
import { type Erasure, integersOf } from "#core/write/erasures.ts";
import { forgetSnapshots } from "#core/write/events.ts";
import { customersOf, personEraser } from "#features/erasures";
import { gatewayCaptures } from "#tables/captures";
import { gatewayRefunds } from "#tables/refunds";

const { id, captureId, customerId, createdAt, reasonText } = gatewayRefunds;

/** Erases again what staff wrote of why a person's money went back; the refund stays, in the books. */
export const refundReasonErasure: Erasure = {
  action: "eraseRefundReason",
  left: (given) => sql`SELECT record FROM ${given} JOIN ${gatewayRefunds}
    ON ${id} = CAST(record AS INTEGER) AND ${createdAt} <= at AND ${reasonText} IS NOT NULL`,
  forget: (left) => [forgetSnapshots("refund", sql`SELECT record FROM (${left})`)],
  erase: (left) => [
    sql`UPDATE ${gatewayRefunds} SET reason_text = NULL WHERE ${id} IN (${integersOf(left)})`,
  ],
};

type Row = { id: number; customer_ids: (number | null)[] };

/** Refunds of a person's money of which staff wrote the reason. */
export const refundReasonEraser = personEraser<Row>({
  erasure: refundReasonErasure,
  scope: "customers:write",
  find: (_ctx, person) => {
    const theirs = customersOf(person);
    return sql`SELECT json_object('id', ${id}, 'customer_ids', json_array(${customerId}, ${gatewayCaptures.customerId})) AS snapshot
      FROM ${gatewayRefunds} JOIN ${gatewayCaptures} ON ${gatewayCaptures.id} = ${captureId}
      WHERE ${reasonText} IS NOT NULL AND ${id} IN (
        SELECT ${id} FROM ${gatewayRefunds} WHERE ${customerId} IN (${theirs})
        UNION SELECT ${id} FROM ${gatewayCaptures} JOIN ${gatewayRefunds} ON ${captureId} = ${gatewayCaptures.id}
          WHERE ${gatewayCaptures.customerId} IN (${theirs}))`;
  },
  theirs(rows, person) {
    const mine = rows.filter((row) =>
      row.customer_ids.some((one) => one !== null && person.customers.includes(one)),
    );
    return { ids: mine.map((row) => row.id), contacts: [] };
  },
});
