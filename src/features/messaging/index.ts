export { accept, newMessageId, storeMessage } from "./accept.ts";
export { activeProvider, requireProvider } from "./active-provider.ts";
export { emailContent } from "./send-email.ts";
export { type AcceptedRow, selectAccepted } from "./snapshot.ts";
