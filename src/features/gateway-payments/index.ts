export { type AccountRow, accountFor, hasGateway } from "./accounts.ts";
export { type Effects, type EffectsByKind, type PaidIntent, Parked } from "./effects.ts";
export { type IntentRow, insertIntent, intentOf, type Opened, openIntent } from "./intents.ts";
export { type Delivery, receiveEvent } from "./receive.ts";
export { reconcile } from "./reconcile.ts";
export { renderStartedPayment, startedPayments } from "./started.ts";
export {
  exactMoney,
  giveUpPayments,
  payIntent,
  selectWaiting,
} from "./waiting.ts";
