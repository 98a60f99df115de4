export { eraseAbandonedOrders, orderErasure } from "./orders/erase-abandoned.ts";
export { orderContactEraser, orderContactErasure, orderEraser } from "./orders/erase-of-person.ts";
export { orderOwedAgain, orderPaidAgain } from "./orders/paid-again.ts";
export { orderEffects } from "./orders/payment-effects.ts";
export { INVOICEABLE, resolveOrder } from "./orders/resolve.ts";
