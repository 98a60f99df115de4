import type { Erasure } from "#core/write/erasures.ts";
import { bookingErasure, packageErasure } from "#features/bookings";
import { customerErasure } from "#features/customers";
import { eventErasure } from "#features/events";
import { invoiceContactErasure } from "#features/invoices";
import { leadErasure } from "#features/leads";
import {
  inboundOfPersonErasure,
  optoutErasure,
  recipientErasure,
  suppressionErasure,
} from "#features/messaging";
import { applicationErasure } from "#features/recruitment";
import { refundReasonErasure } from "#features/refunds";
import { orderContactErasure, orderErasure } from "#features/storefront";
import { employeeErasure } from "../features/company/employees/employees.ts";
import { inboundErasure, inboundTextErasure } from "../features/messaging/inbox/purge-inbound.ts";
import { contentErasure, messageErasure } from "../features/messaging/retention/purge-messages.ts";
import { unassign } from "../features/projects/work-items/unassign.ts";

/** All that erases what was written of a person for good: a restored backup is rid of it again. */
export const COMPANY_ERASURES: readonly Erasure[] = [
  leadErasure,
  applicationErasure,
  orderErasure,
  orderContactErasure,
  invoiceContactErasure,
  contentErasure,
  messageErasure,
  inboundTextErasure,
  inboundErasure,
  recipientErasure,
  inboundOfPersonErasure,
  optoutErasure,
  suppressionErasure,
  bookingErasure,
  packageErasure,
  refundReasonErasure,
  customerErasure,
  eventErasure,
  { ...employeeErasure, erase: (left) => [unassign(left), ...employeeErasure.erase(left)] },
];
