export { orderEffects } from "./orders/payment-effects.ts";
