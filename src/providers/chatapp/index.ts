import { meta } from "./meta.ts";

export { ChatappContent, type ChatappMessage } from "./content.ts";
export { askForNumber, chatappReason, type MetaConfig } from "./meta.ts";

/** The kinds of chat-app provider, by name. */
export const chatappKinds = { meta };
