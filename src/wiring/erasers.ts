import { bookingEraser, packageEraser } from "#features/bookings";
import { booksKeeper, customerEraser } from "#features/customers";
import { eventEraser } from "#features/events";
import { invoiceContactEraser } from "#features/invoices";
import { leadEraser } from "#features/leads";
import {
  inboundEraser,
  optoutEraser,
  recipientEraser,
  suppressionEraser,
  windowEraser,
} from "#features/messaging";
import { applicationEraser } from "#features/recruitment";
import { refundReasonEraser } from "#features/refunds";
import { orderContactEraser, orderEraser } from "#features/storefront";
import { notificationEraser } from "../features/notifications/erase.ts";

/**
 * All that erases what there is of a person, and says what is kept. Orders come before their customers, whom they keep
 * where they stay; what a person is found by comes last, and then the events that the others leave.
 */
export const PERSON_ERASURE = {
  erasers: [
    recipientEraser,
    inboundEraser,
    windowEraser,
    optoutEraser,
    suppressionEraser,
    orderEraser,
    orderContactEraser,
    invoiceContactEraser,
    bookingEraser,
    packageEraser,
    refundReasonEraser,
    customerEraser,
    leadEraser,
    applicationEraser,
    notificationEraser,
    eventEraser,
  ],
  keepers: [booksKeeper],
} as const;

/** What the erasure of a person changes of the records that events report. */
export const ERASURE_CHANGES = ["customer", "message"] as const;
