import { Router } from "#api/operations/operation.ts";
import { checkout, orderIds, renderCheckout } from "./checkout.ts";
import { Checkout, CheckoutResult } from "./schema.ts";

export const checkoutRoutes = new Router("Storefront", "/").post({ checkout }, "/checkout", {
  changes: ["order", "customer"],
  summary: "Check out",
  description:
    "Opens a payment at the gateway and creates its order. Then do what `next_action` says: send the buyer to its `url`, or give its `options` to Razorpay's checkout.js, its `script`. Where the gateway does not open the payment, or a product, its price, the gateway's account or the buyer's customer record changes meanwhile (409 `catalogue_changed`), the API creates no order. The API ignores an Idempotency-Key: a retry creates another order, unless it brings the `external_id` and the body of the first: then it answers with that order, whose payment is opened anew if it ran out. The order becomes an invoice when the gateway confirms the payment.",
  body: Checkout,
  takesBlanks: true,
  record: { schema: CheckoutResult, render: renderCheckout },
  externalIds: orderIds,
  envelope: "flat",
  idempotent: false,
  problems: [
    "invalid_gstin",
    "gstin_state_mismatch",
    "invalid_state",
    "insufficient_stock",
    "currency_not_supported",
    "payment_gateway_unavailable",
    "payment_gateway_error",
    "catalogue_changed",
  ],
  problemStatuses: { insufficient_stock: 422 },
});
