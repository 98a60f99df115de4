export { eraseAbandonedOrders } from "./orders/erase-abandoned.ts";
export { orderEffects } from "./orders/payment-effects.ts";
