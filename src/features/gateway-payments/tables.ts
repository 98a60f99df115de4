export { paymentIntents } from "./intents/tables.ts";
