export { retryDelay } from "./backoff.ts";
export { completeOptouts, purgeMessages, requeueStuck } from "./chores.ts";
export { dispatchRecipient } from "./dispatch.ts";
export { buryRecipient } from "./settle.ts";
