import type * as z from "zod";
import type { Callback } from "#api/operations/callback.ts";
import type { Services } from "#core/services.ts";
import type { Received, SendResult } from "#providers/delivery";

/** One kind of provider of a channel: what a company sets for it, how it is asked, and what it reports later. */
export type ProviderKind<Config, Message> = {
  config: z.ZodObject & z.ZodType<Config>;
  /** The fields of the configuration that no read shows. */
  secrets: readonly (keyof Config & string)[];
  /** It sends a message once however often it is asked under one reference. */
  deduplicates: boolean;
  send: (services: Services, config: Config, message: Message) => Promise<SendResult>;
  /** Reads a callback; undefined when its signature is wrong. */
  receive?: (callback: Callback, config: Config) => Promise<Received | undefined>;
};

/** What every message has: its recipient, our name for it, and the address for the provider's reports of it. */
export type Addressed = { to: string; reference: string; callbackUrl: string | null };
