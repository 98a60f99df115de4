import { Router } from "#api/operations/operation.ts";
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
import { deleteTemplate, getTemplate, listTemplates, putTemplate, renderTemplate } from "./templates.ts";
import { previewTemplate, renderPreview, testTemplate } from "./try-out.ts";

export const notificationTemplateRoutes = new Router("Settings: Notifications", "/notification-templates", {
  record: { schema: NotificationTemplate, render: renderTemplate },
  params: TemplateParams,
})
  .all({ listNotificationTemplates: listTemplates }, "/", {
    summary: "List the company's own notification texts",
  })
  .get({ getNotificationTemplate: getTemplate }, "/:rule/:channel/:language", {
    summary: "Read a notification text",
    description: "The company's own text, or else this product's text.",
  })
  .put({ putNotificationTemplate: putTemplate }, "/:rule/:channel/:language", {
    summary: "Write a notification text",
    description:
      "The text is for the rule's first kind of receiver. Copies to instructors and to the company keep this product's text. An e-mail has `subject` and `html`, an SMS `text`, a chat-app message the name and language of an approved template.",
    body: TemplatePut,
    problems: ["template_invalid", "html_empty"],
  })
  .delete({ deleteNotificationTemplate: deleteTemplate }, "/:rule/:channel/:language", {
    summary: "Go back to this product's text",
    record: {
      schema: DeletedTemplate,
      render: ({ rule, channel, language }) => ({ rule, channel, language, deleted: true as const }),
    },
  })
  .post({ previewNotificationTemplate: previewTemplate }, "/:rule/:channel/:language/preview", {
    summary: "Preview a notification text",
    description: "With a record that the key may read, or with an example. Nothing is sent.",
    scope: "settings:read",
    body: Preview,
    record: { schema: Previewed, render: renderPreview },
  })
  .post({ testNotificationTemplate: testTemplate }, "/:rule/:channel/:language/test", {
    summary: "Send a text as a test",
    description:
      "Sends the text with the values of an example. It counts in the `daily_cap` of notifications and in the quota of the key. The key needs the scope that sends on the channel.",
    body: TemplateTest,
    record: { schema: TestSent, render: ({ id, channel, to }) => ({ message_id: id, channel, to }) },
    status: 202,
    problems: ["no_active_provider", "conflict", "messaging_daily_cap", "messaging_rate_limited"],
  });
