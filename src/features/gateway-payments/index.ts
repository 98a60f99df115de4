export { eraseAbandonedPayments } from "./events/erase-abandoned.ts";
export type { RefundEvent } from "./events/find-intent.ts";
export { receiveEvent } from "./events/receive.ts";
export { askFirst, paymentsDue, pollSoon, reconcile, selectOpen } from "./events/reconcile.ts";
export { type AccountRow, accountsFor, hasGateway, isAsRead } from "./gateways/accounts.ts";
export { openAccount } from "./gateways/secret-kinds.ts";
export {
  type Effects,
  type EffectsByKind,
  type PaidEffect,
  type PaidIntent,
  Quarantined,
} from "./intents/effects.ts";
export {
  checkoutScript,
  type HostedCheckout,
  hostedCheckout,
  waitingCheckout,
} from "./intents/hosted-checkout.ts";
export {
  cancelAtGateway,
  type IntentRow,
  insertIntent,
  intentOf,
  type Opened,
  openAtGateway,
  openedBefore,
  openIntent,
  type PaymentRequest,
  refuseManyOpen,
  replaceIntents,
} from "./intents/open-intent.ts";
export { renderStartedPayment, startedPayments, unexpectedMoney } from "./intents/started-payments.ts";
export {
  advancesIn,
  capturesOf,
  exactMoney,
  giveUpPayments,
  hasOtherMoney,
  payIntent,
  selectWaiting,
} from "./intents/waiting-money.ts";
