import { chatappKinds } from "#providers/chatapp";
import { emailKinds } from "#providers/email";
import { smsKinds } from "#providers/sms";
import type { ProviderKind } from "../kind.ts";

export type { ProviderKind } from "../kind.ts";

/** Every kind of provider, by channel and name. */
export const KINDS = { sms: smsKinds, chatapp: chatappKinds, email: emailKinds } as const;

/** A kind whose configuration and message have been matched by its channel; undefined for a name that there is not. */
export function kindOf<Message>(
  channel: keyof typeof KINDS,
  name: string,
): ProviderKind<unknown, Message> | undefined {
  const kinds: Record<string, unknown> = KINDS[channel];
  return Object.hasOwn(kinds, name) ? (kinds[name] as ProviderKind<unknown, Message>) : undefined;
}
