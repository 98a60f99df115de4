import type { UniqueViolations } from "#platform/write/unique-violations.ts";

/** What the unique indexes of these tables mean to a client. */
export const uniqueViolations: UniqueViolations = {
  "notification_rules.rule": null,
  "notifications.rule, notifications.channel, notifications.recipient, notifications.resource, notifications.record_id, notifications.occasion":
    null,
  "notifications.message_id": null,
  "notification_templates.rule, notification_templates.channel, notification_templates.language": null,
};
