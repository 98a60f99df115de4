import { isChatappUser } from "#shared/contact/chatapp-user.ts";
import { e164, lastDigits, phoneDigits } from "#shared/contact/phone.ts";
import type { Channel } from "../messages/tables.ts";

/** A whole number as opt-outs are matched by it; null for an e-mail, and for a number that no rule knows. */
export function numberOf(country: string, channel: Channel, address: string): string | null {
  if (channel === "email" || isChatappUser(address)) return null;
  // A chat-app's numbers are international, without their plus.
  return e164(channel === "chatapp" ? `+${phoneDigits(address)}` : address, country);
}

/** What an address is matched by: an e-mail's lower case, a user's id, the last 9 digits of a number that no rule knows. */
export function matchOf(channel: Channel, address: string): string {
  if (channel === "email") return address.toLowerCase();
  return isChatappUser(address) ? address : lastDigits(address);
}

/** The digits of a sender's number, or a user's id as it is. */
export function plainAddress(from: string): string {
  return isChatappUser(from) ? from : phoneDigits(from);
}
