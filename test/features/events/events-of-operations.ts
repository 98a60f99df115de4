import { expect } from "vitest";
import type { Operation } from "#api/operations/operation.ts";
import type { Resource } from "#api/operations/resource.ts";
import { EVENT_TYPES } from "../../../src/features/events/types.ts";
import { allResources } from "../../../src/wiring/resources.ts";
import type { TestCompany } from "../../support/company.ts";
import type { Answer } from "../../support/http.ts";
import { eventsOf, faultyEvents } from "./events.ts";

const RESOURCES = await allResources();

/** The events that the example of each operation leaves, in order; an operation that is not here leaves none. */
export const EVENTS_OF: Record<string, readonly string[]> = {
  createBooking: ["customer.created", "booking.requested"],
  createStaffBooking: ["booking.confirmed"],
  cancelStaffBooking: ["booking.cancelled"],
  rescheduleStaffBooking: ["booking.moved"],
  payBooking: ["booking.held"],
  cancelBooking: ["booking.cancelled"],
  rescheduleBooking: ["booking.moved"],
  updateBooking: ["booking.confirmed"],
  createPackage: ["package.granted"],
  updatePackage: ["package.updated"],
  deletePackage: ["package.cancelled"],
  createCustomer: ["customer.created"],
  createOrChangeCustomer: ["customer.created"],
  updateCustomer: ["customer.updated"],
  deleteCustomer: ["customer.deleted"],
  updateCustomerSettings: ["customer.updated"],
  createInvoice: ["invoice.created"],
  invoiceBooking: ["invoice.created", "invoice.paid", "payment.recorded"],
  voidInvoice: ["invoice.voided"],
  sendInvoice: ["invoice.sent"],
  recordPayment: ["invoice.paid", "payment.recorded"],
  refundPayment: ["payment.refunded", "invoice.reopened"],
  // Its gateway does not know the payment of the example.
  createRefund: ["refund.created", "refund.failed"],
  retryRefund: ["refund.created", "refund.failed"],
  createCreditNote: ["credit_note.created", "invoice.credited"],
  applyCreditNote: ["invoice.credited"],
  reverseReceipt: ["booking.unpaid"],
  voidCreditNote: ["credit_note.voided"],
  createProduct: ["product.created"],
  createOrChangeProduct: ["product.created"],
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
  createOrChangeWorkItem: ["work_item.created"],
  updateWorkItem: ["work_item.updated"],
  transitionWorkItem: ["work_item.commented", "work_item.transitioned"],
  createComment: ["work_item.commented"],
  startSprint: ["sprint.started"],
  completeSprint: ["sprint.completed"],
  updateMilestone: ["milestone.changed"],
};
// A company may know the customer of an example from another one.
const BESIDE = "customer.created";
const byName = new Map<string, Resource>(RESOURCES.map((resource) => [resource.name, resource]));

/** Checks that a write left the events of its changes, each with its record, its actor and its request. */
export async function expectEvents(
  company: TestCompany,
  operation: Operation,
  answer: Answer,
): Promise<void> {
  const mine = ({ request_id }: { request_id: string }) => request_id === answer.headers.get("X-Request-Id");
  const events = (await eventsOf(company)).filter(mine).reverse();
  const expected = EVENTS_OF[operation.id] ?? [];
  const types = events.map(({ type }) => type);
  expect([
    expected,
    expected.length > 1 ? expected.filter((type) => type !== BESIDE) : expected,
  ]).toContainEqual(types);
  expect(await faultyEvents(company)).toBe(0);
  const known = EVENT_TYPES as Record<string, { resource: string }>;
  for (const event of events) {
    const resource = known[event.type]?.resource ?? "";
    expect(event.actor?.id).toBe(company.admin.client_id);
    expect(operation.changes).toContain(resource);
    // A job that is gone cannot be read at the end of its batch.
    expect(event.data_omitted).toBe(operation.id === "deleteJob");
    if (!event.data_omitted) expect(byName.get(resource)?.record.parse(event.data)).toEqual(event.data);
  }
}
