import type { Resource } from "#contract/resource.ts";
import { bookingResource, packageResource } from "#features/bookings";
import { customerResource } from "#features/customers";
import { invoiceResource } from "#features/invoices";
import { leadResource } from "#features/leads";
import { inboundResource, messageResource, optoutResource, providerResource } from "#features/messaging";
import { paymentResource } from "#features/payments";
import { productResource } from "#features/products";
import { commentResource, milestoneResource, sprintResource, workItemResource } from "#features/projects";
import { applicationResource, jobResource } from "#features/recruitment";
import { orderResource } from "#features/storefront";
import { erasureResource } from "../features/erasures/resource.ts";

/** All kinds of records that events tell of. */
export const RESOURCES: readonly Resource[] = [
  customerResource,
  productResource,
  invoiceResource,
  paymentResource,
  orderResource,
  erasureResource,
  bookingResource,
  packageResource,
  messageResource,
  inboundResource,
  optoutResource,
  providerResource,
  leadResource,
  applicationResource,
  jobResource,
  workItemResource,
  commentResource,
  sprintResource,
  milestoneResource,
];
