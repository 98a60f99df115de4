import { expect, test } from "vitest";
import { type AgentOperation, findOperations, indexOperations } from "#api/mcp/operations.ts";
import { document } from "#test/api-document.ts";
import { agentDocuments } from "../../../src/build/agent-documents.ts";

const { list } = agentDocuments(document);
const index = indexOperations(list);
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
    createLocation updateLocation createField updateField putSchedule createOverride createOrChangeWorkItem
    updateInbound previewNotificationTemplate`;
  expect(idsOf(writes.filter((one) => !one.needs_approval))).toEqual(words(reviewed));
  expect(list.filter((one) => one.only_reads && one.needs_approval)).toEqual([]);
});

test("the writes that only add are those reviewed here; every other may destroy", () => {
  const reviewed = `
    createCustomer createProduct adjustStock createSettlement createJournalEntry createOpeningBalances
    createTransfer createExpense createExchangeRate applyForJob createWorkItem createComment createProject
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
  // In words of every day; of several operations each is right.
  ["what came in today", "listInbound", 4],
  ["text a customer", "sendSms", 4],
  ["create a bug", "createWorkItem", 4],
  ["remind a customer to pay", "sendInvoice", 4],
  ["record a payment that came by bank", "recordPayment", 4],
  ["invoice a new customer", "createInvoice", 4],
  ["this invoice was a mistake", "voidInvoice createCreditNote", 4],
  ["give a discount on an invoice that was sent", "createCreditNote", 4],
  ["whom do we owe money", "listDueRefunds", 4],
  ["did the refund go through", "listRefunds getRefund", 4],
  ["which ways to pay do we take", "listPaymentMethods listPaymentModes", 4],
  ["what did the gateway pay out to our bank", "createSettlement listCaptures", 4],
  ["how much did we sell this month", "listInvoices trialBalance listAccounts", 4],
  ["profit and loss of the year", "trialBalance listAccounts", 4],
  ["close the books of last year", "updateBooksSettings", 4],
  ["book a driving lesson for a student", "createStaffBooking", 4],
  ["move a lesson to another day", "rescheduleStaffBooking", 4],
  ["when is the teacher free next week", "getAvailability listAvailableDates", 4],
  ["hire a new driving teacher", "createInstructor", 4],
  ["sell ten lessons at once", "createPackage", 4],
  ["how many lessons has the student left", "listPackageSettings listPackages getPackage", 4],
  ["write to a customer on WhatsApp", "sendChatapp", 4],
  ["did my message arrive", "getMessage listMessages", 4],
  ["never write to this number again", "createOptout", 4],
  ["check the inbox for replies", "listInbound", 4],
  ["answer a lead", "getLead", 4],
  ["we won the deal", "closeLead", 4],
  ["ship an order", "listOrders getListedOrder", 4],
  ["where is the parcel going", "getListedOrder", 4],
  ["how many pieces are left", "listProducts getProduct", 4],
  ["goods arrived in the warehouse", "adjustStock", 4],
  ["put a new item into the shop", "createProduct", 4],
  ["raise the price of an article", "updateProduct", 4],
  ["the client moved to a new address", "updateCustomer", 4],
  ["look up a person by phone number", "listCustomers", 4],
  ["forget a person's data", "createErasure", 4],
  ["make a task for the team", "createWorkItem", 4],
  ["what is everybody working on", "listWorkItems", 4],
  ["the bug is fixed", "transitionWorkItem updateWorkItem", 4],
  ["who wants the job", "listApplications", 4],
  ["turn down an applicant", "updateApplication", 4],
  ["give another program access", "createKey", 4],
  ["who changed what yesterday", "listAuditLog", 4],
  ["tell another system when an order comes in", "createEventEndpoint", 4],
  ["change the words of the reminder", "putNotificationTemplate", 4],
] as const)("finds by %j %s among the first %d", ([text, right, first]) => {
  const found = findOperations(index, text).slice(0, first);
  const isRight = ({ id = "" }) => right.split(" ").includes(id);
  expect(found).toSatisfy(() => found.some(isRight));
});
