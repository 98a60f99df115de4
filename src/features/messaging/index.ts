export { accept, newMessageId, storeMessage } from "./accept.ts";
export { activeProvider, requireProvider } from "./active-provider.ts";
export { retryDelay } from "./dispatch/backoff.ts";
export { purgeMessages, requeueStuck } from "./dispatch/chores.ts";
export { dispatchRecipient } from "./dispatch/dispatch.ts";
export { buryRecipient } from "./dispatch/settle.ts";
export { emailContent } from "./send-email.ts";
export { type AcceptedRow, selectAccepted } from "./snapshot.ts";
