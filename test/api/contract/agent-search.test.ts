import { expect, test } from "vitest";
import { findOperations, indexOperations } from "#api/mcp/operations.ts";
import { openApiDocument } from "#api/openapi/document.ts";
import { agentDocuments } from "../../../src/build/agent-documents.ts";
import { operations, platformOperations } from "../../../src/wiring/operations.ts";

const index = indexOperations(agentDocuments(openApiDocument(operations, platformOperations, [])).list);

test.each([
  ["today's bookings", 1, "listBookings"],
  ["tomorrow's bookings", 1, "listBookings"],
  ["list the customers", 1, "listCustomers"],
  ["issue an invoice", 1, "createInvoice"],
  ["instructor leave", 3, "createOverride"],
  ["give a refund for a cancelled lesson", 3, "createRefund"],
  ["add a customer", 3, "createCustomer"],
  ["overdue invoices", 3, "listInvoices"],
  ["send a receipt", 3, "sendInvoice"],
  ["record a payment", 3, "recordPayment"],
])("of what “%s” speaks of, one of the first %i found is %s", (text, first, id) => {
  const found = findOperations(index, text).map((operation) => operation.id);
  expect(found.slice(0, first)).toContain(id);
});
