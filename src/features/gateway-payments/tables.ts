export { gatewayAccounts } from "./gateways/tables.ts";
export { paymentIntents } from "./intents/tables.ts";
