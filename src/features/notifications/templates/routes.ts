import { Router } from "#api/operations/operation.ts";
import { previewExample, templateExample, templatePutExample } from "../examples.ts";
import {
  DeletedTemplate,
  NotificationTemplate,
  Preview,
  Previewed,
  TemplateParams,
  TemplatePut,
  TemplateTest,
  TestSent,
} from "./schema.ts";
import {
  deleteTemplate,
  getTemplate,
  listTemplates,
  putTemplate,
  renderDeletedTemplate,
  renderTemplate,
} from "./templates.ts";
import { previewTemplate, renderPreview, renderTest, testTemplate } from "./try-out.ts";

const LIST = "/settings/:company/notification-templates";
const ONE = `${LIST}/:rule/:channel/:language`;
const { rule, channel, language } = templateExample;

export const notificationTemplateRoutes = new Router("Settings: Notifications")
  .all(
    {
      id: "listNotificationTemplates",
      method: "get",
      path: LIST,
      summary: "List the company's own notification texts",
      scope: "settings:read",
      result: NotificationTemplate,
      example: { result: templateExample },
      render: renderTemplate,
    },
    listTemplates,
  )
  .add(
    {
      id: "getNotificationTemplate",
      method: "get",
      path: ONE,
      summary: "Read a notification text",
      description: "The company's own text, or else this product's text.",
      scope: "settings:read",
      params: TemplateParams,
      result: NotificationTemplate,
      example: { result: templateExample },
      render: renderTemplate,
    },
    getTemplate,
  )
  .add(
    {
      id: "putNotificationTemplate",
      method: "put",
      path: ONE,
      summary: "Write a notification text",
      description:
        "The text is for the rule's first kind of receiver. Copies to instructors and to the company keep this product's text. An e-mail has `subject` and `html`, an SMS `text`, a chat-app message the name and language of an approved template.",
      scope: "settings:write",
      params: TemplateParams,
      body: TemplatePut,
      result: NotificationTemplate,
      problems: ["template_invalid", "html_empty"],
      example: { body: templatePutExample, result: templateExample },
      render: renderTemplate,
    },
    putTemplate,
  )
  .add(
    {
      id: "deleteNotificationTemplate",
      method: "delete",
      path: ONE,
      summary: "Go back to this product's text",
      scope: "settings:write",
      params: TemplateParams,
      result: DeletedTemplate,
      example: { result: { rule, channel, language, deleted: true } },
      render: renderDeletedTemplate,
    },
    deleteTemplate,
  )
  .add(
    {
      id: "previewNotificationTemplate",
      method: "post",
      path: `${ONE}/preview`,
      summary: "Preview a notification text",
      description: "With a record that the key may read, or with an example. Nothing is sent.",
      scope: "settings:read",
      params: TemplateParams,
      body: Preview,
      result: Previewed,
      example: { body: {}, result: previewExample },
      render: renderPreview,
    },
    previewTemplate,
  )
  .add(
    {
      id: "testNotificationTemplate",
      method: "post",
      path: `${ONE}/test`,
      summary: "Send a text as a test",
      description:
        "Sends the text with the values of an example. It counts in the `daily_cap` of notifications and in the quota of the key. The key needs the scope that sends on the channel.",
      scope: "settings:write",
      params: TemplateParams,
      body: TemplateTest,
      result: TestSent,
      status: 202,
      problems: ["no_active_provider", "conflict", "messaging_daily_cap", "messaging_rate_limited"],
      example: {
        body: { to: "meera@example.com" },
        result: { message_id: "msg_01KAJ0V5Y3Q8R6N2T4W7X9Z1BC", channel, to: "meera@example.com" },
      },
      render: renderTest,
    },
    testTemplate,
  );
