import { bookingResource, packageResource } from "#features/bookings";
import { customerResource } from "#features/customers";
import { invoiceResource } from "#features/invoices";
import { inboundResource, messageResource, optoutResource, providerResource } from "#features/messaging";
import { paymentResource } from "#features/payments";
import { productResource } from "#features/products";
import { orderResource } from "#features/storefront";

/** What an event of a payment gateway may change. */
export const PAYMENT_CHANGES = [
  orderResource,
  invoiceResource,
  paymentResource,
  productResource,
  bookingResource,
  packageResource,
  customerResource,
] as const;

/** What the callbacks of message providers may change. */
export const RECEIPT_CHANGES = [messageResource, inboundResource, optoutResource] as const;

/** What handing messages to their providers may change. */
export const DISPATCH_CHANGES = [messageResource, providerResource] as const;

/** What a company's clock may change by itself. */
export const DUE_CHANGES = [bookingResource, packageResource, invoiceResource, messageResource] as const;

/** What housekeeping may change, with all that is due. */
export const HOUSEKEEPING_CHANGES = [...DUE_CHANGES, optoutResource] as const;
