export { messageRecipients, messages } from "./messages/tables.ts";
export { messagingProviders } from "./providers/tables.ts";
export { smsTemplates } from "./templates/tables.ts";
