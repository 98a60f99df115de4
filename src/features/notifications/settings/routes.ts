import { Router } from "#contract/operation.ts";
import { loggedExample, settingsExample } from "../examples.ts";
import { listNotifications, renderNotification } from "./log.ts";
import { LoggedNotification, LogQuery } from "./log-schema.ts";
import { NotificationSettings, NotificationSettingsPatch } from "./schema.ts";
import {
  getNotificationSettings,
  renderNotificationSettings,
  updateNotificationSettings,
} from "./settings.ts";

const common = {
  path: "/settings/:company/notifications",
  result: NotificationSettings,
  render: renderNotificationSettings,
} as const;

export const notificationRoutes = new Router("Settings: Notifications")
  .add(
    {
      ...common,
      id: "getNotificationSettings",
      method: "get",
      summary: "Read what is sent to whom when something happens",
      scope: "settings:read",
      example: { result: settingsExample },
    },
    getNotificationSettings,
  )
  .add(
    {
      ...common,
      id: "updateNotificationSettings",
      method: "patch",
      changes: [],
      summary: "Change what is sent to whom when something happens",
      description: "Reminders that wait follow the rules as they are then.",
      scope: "settings:write",
      body: NotificationSettingsPatch,
      problems: ["no_accepted_fields", "conflict"],
      example: {
        body: {
          company_recipients: ["office@school.example"],
          rules: [{ rule: "booking_reminder_hours", hours: 3 }],
        },
        result: settingsExample,
      },
    },
    updateNotificationSettings,
  )
  .list(
    {
      id: "listNotifications",
      method: "get",
      path: "/settings/:company/notifications/log",
      summary: "List what became of notifications",
      scope: "settings:read",
      query: LogQuery,
      result: LoggedNotification,
      example: { result: loggedExample },
      render: renderNotification,
      sort: (row) => [row.id],
    },
    listNotifications,
  );
