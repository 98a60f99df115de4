import { e164, lastDigits, phoneDigits } from "#shared/contact/phone.ts";
import type { Channel } from "../messages/tables.ts";

/** A whole number as opt-outs are matched by it; null for an e-mail, and for a number that no rule knows. */
export function numberOf(country: string, channel: Channel, address: string): string | null {
  if (channel === "email") return null;
  // A chat-app's numbers are international, without their plus.
  return e164(channel === "chatapp" ? `+${phoneDigits(address)}` : address, country);
}

/** What an address is matched by: an e-mail's lower case, the last 9 digits of a number that no rule knows. */
export function matchOf(channel: Channel, address: string): string {
  if (channel === "email") return address.toLowerCase();
  return lastDigits(address);
}
