import { describe, expect, test } from "vitest";
import { EVENT_TYPES } from "../../../src/features/events/types.ts";
import { RESOURCES } from "../../../src/mount/resources.ts";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { prepare, writes } from "../../support/operations.ts";
import { eventsOf, faultyEvents } from "./events.ts";

/** What the example of each operation tells, in the order of the events; an operation that is not here tells nothing. */
const TOLD: Record<string, readonly string[]> = {
  createBooking: ["customer.created", "booking.requested"],
  payBooking: ["booking.held"],
  cancelBooking: ["booking.cancelled"],
  rescheduleBooking: ["booking.moved"],
  updateBooking: ["booking.confirmed"],
  createPackage: ["package.granted"],
  updatePackage: ["package.updated"],
  deletePackage: ["package.cancelled"],
  createCustomer: ["customer.created"],
  updateCustomer: ["customer.updated"],
  deleteCustomer: ["customer.deleted"],
  updateCustomerSettings: ["customer.updated"],
  createInvoice: ["invoice.created"],
  voidInvoice: ["invoice.voided"],
  sendInvoice: ["invoice.sent"],
  recordPayment: ["invoice.paid", "payment.recorded"],
  refundPayment: ["payment.refunded", "invoice.reopened"],
  createProduct: ["product.created"],
  updateProduct: ["product.updated"],
  adjustStock: ["stock.adjusted"],
  checkout: ["customer.created", "order.created"],
  resolveOrder: ["order.cancelled"],
  captureLead: ["lead.captured"],
  closeLead: ["lead.closed"],
  applyForJob: ["application.received"],
  updateApplication: ["application.moved"],
  createJob: ["job.opened"],
  updateJob: ["job.closed"],
  deleteJob: ["job.closed"],
  createErasure: ["person.erased"],
  createOptout: ["contact.opted_out"],
  deleteOptout: ["contact.opted_in"],
  cancelMessage: ["message.failed"],
  resendMessage: ["message.failed"],
  createWorkItem: ["work_item.created"],
  updateWorkItem: ["work_item.updated"],
  transitionWorkItem: ["work_item.commented", "work_item.transitioned"],
  createComment: ["work_item.commented"],
  startSprint: ["sprint.started"],
  completeSprint: ["sprint.completed"],
  updateMilestone: ["milestone.changed"],
};
const companyWrites = writes.filter(({ database }) => database === "company");
const byName = new Map(RESOURCES.map((resource) => [resource.name, resource]));

async function lastSequence(company: TestCompany): Promise<number> {
  return (await eventsOf(company))[0]?.sequence ?? 0;
}

describe.each(companyWrites)("$id", (operation) => {
  test("leaves the events of its changes, each with its record, its actor and its request", async () => {
    const company = await openCompany();
    const { method, path, body } = await prepare(company, operation);
    const before = await lastSequence(company);
    const answer = must(await company.call(method, path, { body }), operation.status);
    const mine = ({ request_id }: { request_id: string }) =>
      request_id === answer.headers.get("X-Request-Id");
    const events = (await eventsOf(company)).filter(mine).reverse();
    expect(events.map(({ type }) => type)).toEqual(TOLD[operation.id] ?? []);
    expect(await faultyEvents(company)).toBe(0);
    const types = EVENT_TYPES as Record<string, { resource: string }>;
    for (const event of events) {
      expect(event.sequence).toBeGreaterThan(before);
      expect(event.actor?.id).toBe(company.admin.client_id);
      expect(operation.changes.map(({ name }) => name)).toContain(types[event.type]?.resource);
      // A job that is gone cannot be read at the end of its batch.
      expect(event.data_omitted).toBe(operation.id === "deleteJob");
      const record = byName.get(types[event.type]?.resource ?? "")?.record;
      if (!event.data_omitted) expect(record?.parse(event.data)).toEqual(event.data);
    }
  });
});

test("a write that may leave events says of which records, and a resource is told of by some operation or job", () => {
  const told = new Set(companyWrites.flatMap(({ changes }) => changes.map(({ name }) => name)));
  const alone = RESOURCES.map(({ name }) => name).filter((name) => !told.has(name));
  // Of providers tell what dispatches messages, and of what people write the callbacks.
  expect(alone).toEqual(["inbound_message", "provider"]);
  // The employee of the example has no work items, and whom the examples write to was never written to in vain.
  const silent = companyWrites.filter(({ id, changes }) => changes.length > 0 && TOLD[id] === undefined);
  expect(silent.map(({ id }) => id).sort()).toEqual([
    "deleteEmployee",
    "sendChatapp",
    "sendEmail",
    "sendSms",
  ]);
});
