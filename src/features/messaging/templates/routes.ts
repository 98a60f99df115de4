import { Router } from "#contract/operation.ts";
import { Deleted, RecordParams, renderDeleted } from "#shared/fields/ids.ts";
import { templateExample } from "./examples.ts";
import { SmsTemplate, SmsTemplateCreate, SmsTemplatePatch } from "./schema.ts";
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  renderTemplate,
  updateTemplate,
} from "./sms-templates.ts";

export const templateRoutes = new Router("Settings: Messaging")
  .list(
    {
      id: "listSmsTemplates",
      method: "get",
      path: "/settings/:company/sms-templates",
      summary: "List the registered SMS templates",
      scope: "settings:read",
      result: SmsTemplate,
      example: { result: templateExample },
      render: renderTemplate,
      sort: (row) => [row.id],
    },
    listTemplates,
  )
  .add(
    {
      id: "createSmsTemplate",
      method: "post",
      changes: [],
      path: "/settings/:company/sms-templates",
      summary: "Add a registered SMS template",
      description: "A send that names it is compared with it, and warned of a difference.",
      scope: "settings:write",
      body: SmsTemplateCreate,
      result: SmsTemplate,
      status: 201,
      problems: ["conflict"],
      example: {
        body: { template_id: templateExample.template_id, text: templateExample.text, sender_id: "DEMOTR" },
        result: templateExample,
      },
      render: renderTemplate,
    },
    createTemplate,
  )
  .add(
    {
      id: "getSmsTemplate",
      method: "get",
      path: "/settings/:company/sms-templates/:id",
      summary: "Read a registered SMS template",
      scope: "settings:read",
      params: RecordParams,
      result: SmsTemplate,
      example: { result: templateExample },
      render: renderTemplate,
    },
    getTemplate,
  )
  .add(
    {
      id: "updateSmsTemplate",
      method: "patch",
      changes: [],
      path: "/settings/:company/sms-templates/:id",
      summary: "Change a registered SMS template",
      scope: "settings:write",
      params: RecordParams,
      body: SmsTemplatePatch,
      result: SmsTemplate,
      problems: ["no_accepted_fields", "conflict"],
      example: {
        body: { pe_id: "1101456780000012345" },
        result: { ...templateExample, ...{ pe_id: "1101456780000012345" } },
      },
      render: renderTemplate,
    },
    updateTemplate,
  )
  .add(
    {
      id: "deleteSmsTemplate",
      method: "delete",
      changes: [],
      path: "/settings/:company/sms-templates/:id",
      summary: "Remove a registered SMS template",
      scope: "settings:write",
      params: RecordParams,
      result: Deleted,
      example: { result: { id: "1", deleted: true } },
      render: renderDeleted,
    },
    deleteTemplate,
  );
