export { messageRecipients, messages } from "./messages/tables.ts";
export { smsTemplates } from "./templates/tables.ts";
