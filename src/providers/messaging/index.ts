import type * as z from "zod";
import type { Services } from "#core/services.ts";
import { ChatappContent, type ChatappMessage, chatappKinds } from "#providers/chatapp";
import type { SendResult } from "#providers/delivery";
import { type Email, EmailContent, emailKinds } from "#providers/email";
import { type Sms, SmsContent, smsKinds } from "#providers/sms";
import type { ProviderKind } from "../provider-kind.ts";

export type { Addressed, ProviderKind } from "../provider-kind.ts";

/** What a message says, by channel: what a send stores and the job that leases it parses. */
export const CONTENTS = { sms: SmsContent, chatapp: ChatappContent, email: EmailContent } as const;
type ChannelName = keyof typeof CONTENTS;
/** A channel with what a message of it says. */
export type MessageContent = {
  [Name in ChannelName]: { channel: Name; content: z.output<(typeof CONTENTS)[Name]> };
}[ChannelName];

/** What a provider of each channel is given for one recipient. */
type MessageBy = { sms: Sms; chatapp: ChatappMessage; email: Email };
type Sends<Message> = { send: (services: Services, config: never, message: Message) => Promise<SendResult> };

/** Every kind of provider, by channel and name. */
export const KINDS = {
  sms: smsKinds,
  chatapp: chatappKinds,
  email: emailKinds,
} as const satisfies { [Name in ChannelName]: Record<string, Sends<MessageBy[Name]>> };

/** A kind whose configuration has been matched by its name; undefined for a name that there is not. */
export function kindOf<Name extends ChannelName>(
  channel: Name,
  name: string,
): ProviderKind<unknown, MessageBy[Name]> | undefined {
  const kinds: Record<string, unknown> = KINDS[channel];
  return Object.hasOwn(kinds, name) ? (kinds[name] as ProviderKind<unknown, MessageBy[Name]>) : undefined;
}
