import { Router } from "#api/operations/operation.ts";
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
      summary: "Read the settings of notifications",
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
      summary: "Change the settings of notifications",
      description:
        "Waiting reminders follow the new rules. To change `company_recipients`, the key also needs `settings:read` and `orders:read`, because these read what the recipients get. A removed address gets a notice.",
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
      summary: "List notifications and their outcomes",
      scope: "settings:read",
      query: LogQuery,
      result: LoggedNotification,
      example: { result: loggedExample },
      render: renderNotification,
      sort: (row) => [row.id],
    },
    listNotifications,
  );
