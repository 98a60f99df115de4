export { newMessageId } from "./messages/message-id.ts";
export { activeProvider, requireProvider } from "./providers/active-provider.ts";
export { accept, requireAhead } from "./send/accept.ts";
export { type AcceptedRow, selectAccepted } from "./send/accepted.ts";
export { requeuing } from "./send/requeuing.ts";
export { emailContent } from "./send/send-email.ts";
export { storeMessage } from "./send/store-message.ts";
