import { columnList } from "#core/sql/column-list.ts";
import { gatewayRefunds } from "#tables/refunds";

/** The columns that a SELECT inserts refunds with, in its order. */
export const insertOf = columnList(gatewayRefunds, [
  "operation",
  "key",
  "gateway",
  "captureId",
  "customerId",
  "creditNoteId",
  "source",
  "amount",
  "advanceAmount",
  "currency",
  "reason",
  "reasonText",
  "speed",
  "status",
  "attempts",
  "nextLookAt",
  "sentAt",
  "createdAt",
]);
