import type { Resource } from "#api/operations/resource.ts";
import type { ResourceName } from "#shared/resource-names.ts";

/** How each kind of record that events report is loaded, when a write may first change one. */
const LOADERS: Readonly<Record<ResourceName, () => Promise<Resource>>> = {
  customer: async () => (await import("../features/customers/snapshot.ts")).customerResource,
  product: async () => (await import("../features/products/products/record.ts")).productResource,
  invoice: async () => (await import("../features/invoices/invoices/resource.ts")).invoiceResource,
  credit_note: async () => (await import("../features/credit-notes/record.ts")).creditNoteResource,
  payment: async () => (await import("../features/payments/payments/record.ts")).paymentResource,
  refund: async () => (await import("../features/refunds/record.ts")).refundResource,
  order: async () => (await import("../features/storefront/orders/record.ts")).orderResource,
  erasure: async () => (await import("../features/erasures/record.ts")).erasureResource,
  booking: async () => (await import("../features/bookings/bookings/staff-snapshot.ts")).bookingResource,
  package: async () => (await import("../features/bookings/packages/resource.ts")).packageResource,
  message: async () => (await import("../features/messaging/messages/record.ts")).messageResource,
  inbound_message: async () => (await import("../features/messaging/inbox/record.ts")).inboundResource,
  optout: async () => (await import("../features/messaging/contacts/optouts.ts")).optoutResource,
  provider: async () => (await import("../features/messaging/providers/record.ts")).providerResource,
  lead: async () => (await import("../features/leads/leads/record.ts")).leadResource,
  application: async () =>
    (await import("../features/recruitment/applications/record.ts")).applicationResource,
  job: async () => (await import("../features/recruitment/jobs/record.ts")).jobResource,
  work_item: async () => (await import("../features/projects/work-items/record.ts")).workItemResource,
  comment: async () => (await import("../features/projects/comments/comments.ts")).commentResource,
  sprint: async () => (await import("../features/projects/sprints/record.ts")).sprintResource,
  milestone: async () => (await import("../features/projects/milestones/milestones.ts")).milestoneResource,
};

/** The resources with these names. */
export function resourcesNamed(names: readonly ResourceName[]): Promise<Resource[]> {
  return Promise.all(names.map((name) => LOADERS[name]()));
}

/** All kinds of records that events report. */
export function allResources(): Promise<Resource[]> {
  return Promise.all(Object.values(LOADERS).map((load) => load()));
}
