export { activeProvider, requireProvider } from "./providers/active-provider.ts";
export { accept, newMessageId, requeuing, storeMessage } from "./send/accept.ts";
export { type AcceptedRow, selectAccepted } from "./send/accepted.ts";
export { emailContent } from "./send/send-email.ts";
