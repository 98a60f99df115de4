import type { messages } from "#tables/messaging";

export type Channel = (typeof messages.channel.enumValues)[number];
