export { eraseAbandonedPayments } from "./events/erase-abandoned.ts";
export { receiveEvent } from "./events/receive.ts";
export { paymentsDue, reconcile } from "./events/reconcile.ts";
export { type AccountRow, accountsFor, hasGateway } from "./gateways/accounts.ts";
export { type Effects, type EffectsByKind, type PaidIntent, Parked } from "./intents/effects.ts";
export { type IntentRow, insertIntent, intentOf, type Opened, openIntent } from "./intents/open-intent.ts";
export { renderStartedPayment, startedPayments } from "./intents/started-payments.ts";
export { exactMoney, giveUpPayments, payIntent, selectWaiting } from "./intents/waiting-money.ts";
