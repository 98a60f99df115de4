import { expect, test } from "vitest";
import { type AgentOperation, findOperations, indexOperations } from "#api/mcp/operations.ts";
import { openApiDocument } from "#api/openapi/document.ts";
import { agentDocuments } from "../../../src/build/agent-documents.ts";
import { operations, platformOperations } from "../../../src/wiring/operations.ts";

const { list } = agentDocuments(openApiDocument(operations, platformOperations, []));
const writes = list.filter(({ only_reads }) => !only_reads);
const idsOf = (some: readonly AgentOperation[]) => some.map(({ id }) => id).sort();
const words = (text: string) => text.trim().split(/\s+/).sort();

test("an agent's user is shown every write first, but those reviewed here", () => {
  const reviewed = `
    createWorkItem updateWorkItem transitionWorkItem createComment createProject updateProject createIteration
    updateIteration createArea updateArea createMilestone updateMilestone createSprint updateSprint startSprint
    completeSprint createEmployee updateEmployee createWorkItemStatus updateWorkItemStatus
    createUnit updateUnit createCategory updateCategory
    createCustomer createDepartment updateDepartment createLeadSource updateLeadSource
    createLocation updateLocation createField updateField putSchedule createOverride
    updateInbound previewNotificationTemplate`;
  expect(idsOf(writes.filter((one) => !one.needs_approval))).toEqual(words(reviewed));
  expect(list.filter((one) => one.only_reads && one.needs_approval)).toEqual([]);
});

test("the writes that only add are those reviewed here; every other may destroy", () => {
  const reviewed = `
    createCustomer createProduct adjustStock createSettlement applyForJob createWorkItem createComment createProject
    createIteration createArea createMilestone createSprint createEventEndpoint createAccount createPaymentMode
    createUnit createCategory createPaymentGateway createMessagingProvider createSmsTemplate createOptout
    createSuppression createDepartment createJob createLeadSource createLocation createInstructor createOverride
    createField createCalendarFeed createEmployee createWorkItemStatus createKey`;
  expect(idsOf(writes.filter((one) => !one.may_destroy))).toEqual(words(reviewed));
});

test.for([
  ["issue an invoice", "createInvoice", 1],
  ["refund through the gateway", "createRefund", 1],
  ["cancel a lesson", "cancelStaffBooking", 1],
  ["webhook", "createEventEndpoint", 1],
  ["send an sms", "sendSms", 1],
  // In words that the API has not.
  ["today's bookings", "listBookings", 1],
  ["instructor leave", "createOverride", 3],
  ["give a refund for a cancelled lesson", "createRefund", 3],
  ["add a customer", "createCustomer", 3],
  ["overdue invoices", "listInvoices", 3],
  ["send a receipt", "sendInvoice", 3],
  ["bill somebody", "createInvoice", 5],
  ["mark invoice as paid", "recordPayment", 5],
  ["who owes us money", "listInvoices", 5],
  ["send money back", "createRefund", 5],
] as const)("finds by %j %s among the first %d", ([text, id, first]) => {
  const found = findOperations(indexOperations(list), text).map((one) => one.id);
  expect(found.slice(0, first)).toContain(id);
});
