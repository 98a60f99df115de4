/**
 * A person whom the chat-app names without a number: a country, a full stop and up to 128 letters and digits; a parent
 * portfolio's has ENT between. https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids
 */
export const CHATAPP_USER = /^[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}$/;

/** Whether an address is a chat-app user's id, whose digits are no phone number. */
export function isChatappUser(address: string): boolean {
  return CHATAPP_USER.test(address);
}
