import type { UniqueViolations } from "#platform/write/unique-violations.ts";

/** What the unique indexes of these tables mean to a client. */
export const uniqueViolations: UniqueViolations = {
  "messaging_providers.operation": null,
  "messaging_providers.token_hash": null,
  "messaging_providers.channel": null,
  "messages.id": null,
  "message_recipients.message_id, message_recipients.ordinal": null,
  "message_recipients.provider_message_id, message_recipients.provider": null,
  "inbound_messages.id": null,
  "inbound_messages.provider, inbound_messages.known_as": null,
  "provider_events_unmatched.provider, provider_events_unmatched.provider_message_id, provider_events_unmatched.status":
    null,
  "chatapp_windows.phone": null,
  "contact_optouts.channel, contact_optouts.e164": "conflict",
  "contact_optouts.channel, contact_optouts.match": "conflict",
  "email_suppressions.email, email_suppressions.scope": "conflict",
  "sms_templates.template_id": "conflict",
};
