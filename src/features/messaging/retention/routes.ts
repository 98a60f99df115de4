import { Router } from "#api/operations/operation.ts";
import {
  getMessagingSettings,
  renderMessagingSettings,
  updateMessagingSettings,
} from "./retention-settings.ts";
import { MessagingSettings, MessagingSettingsPatch } from "./schema.ts";

const common = {
  path: "/settings/:company/messaging-settings",
  result: MessagingSettings,
  render: renderMessagingSettings,
} as const;

export const retentionRoutes = new Router("Settings: Messaging")
  .add(
    {
      ...common,
      id: "getMessagingSettings",
      method: "get",
      summary: "Read the settings of messaging",
      scope: "settings:read",
      example: { result: { content_days: 30, message_days: 400, optout_words: [] } },
    },
    getMessagingSettings,
  )
  .add(
    {
      ...common,
      id: "updateMessagingSettings",
      method: "patch",
      changes: [],
      summary: "Change the settings of messaging",
      description: "Fewer days than until now erase messages, and ask also for `messages:write`.",
      scope: "settings:write",
      body: MessagingSettingsPatch,
      problems: ["no_accepted_fields"],
      example: {
        body: { content_days: 7, optout_words: ["stop it"] },
        result: { content_days: 7, message_days: 400, optout_words: ["stop it"] },
      },
    },
    updateMessagingSettings,
  );
