export { gatewayEvents } from "./events/tables.ts";
export { gatewayAccounts } from "./gateways/tables.ts";
export { paymentIntents } from "./intents/tables.ts";
