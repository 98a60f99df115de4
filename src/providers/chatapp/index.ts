import { meta } from "./meta.ts";

export { type ChatappMessage, chatappReason, type MetaConfig } from "./meta.ts";

/** The kinds of chat-app provider, by name. */
export const chatappKinds = { meta };
