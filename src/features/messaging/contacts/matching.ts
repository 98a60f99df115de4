import { e164, lastDigits, phoneDigits } from "#shared/contact/phone.ts";
import type { Channel } from "../messages/channel.ts";

const MOST_NAME_CHARACTERS = 255;

/** Whether an address is a name, such as a chat-app user's id of whatever form: its digits are no phone number. */
export function isNamed(address: string): boolean {
  return /\p{L}/u.test(address);
}

/** A whole number as opt-outs are matched by it; null for an e-mail, and for a number that no rule knows. */
export function numberOf(country: string, channel: Channel, address: string): string | null {
  if (channel === "email" || isNamed(address)) return null;
  // A chat-app's numbers are international, without their plus.
  return e164(channel === "chatapp" ? `+${phoneDigits(address)}` : address, country);
}

/** What an address is matched by: an e-mail's lower case, a user's id, the last 9 digits of a number that no rule knows. */
export function matchOf(channel: Channel, address: string): string {
  if (channel === "email") return address.toLowerCase();
  return isNamed(address) ? plainAddress(address) : lastDigits(address);
}

/** The digits of a sender's number, or a name as it is. */
export function plainAddress(from: string): string {
  return isNamed(from) ? from.slice(0, MOST_NAME_CHARACTERS) : phoneDigits(from);
}
