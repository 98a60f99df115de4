import { Router } from "#contract/operation.ts";
import { leadExample, submissionExample } from "../examples.ts";
import { getLeadSettings, renderLeadSettings, updateLeadSettings } from "./configuration.ts";
import {
  closeLead,
  downloadAttachment,
  getLead,
  listLeadSubmissions,
  listLeads,
  renderLead,
  renderLeadWithSubmissions,
  renderSubmission,
} from "./leads.ts";
import {
  IdParams,
  Lead,
  LeadClose,
  LeadQuery,
  LeadSettings,
  LeadSettingsPatch,
  LeadWithSubmissions,
  Submission,
  SubmissionParams,
} from "./schema.ts";

const settingsExample = { retention_days: 365, turnstile: { configured: true, last_characters: "9xQ2" } };
const closedExample = {
  ...leadExample,
  status: "converted" as const,
  closed_at: "2026-11-25T10:00:00.000Z",
};

export const leadSettingsRoutes = new Router("Settings: Leads")
  .list(
    {
      id: "listLeads",
      method: "get",
      path: "/settings/:company/leads",
      summary: "List leads",
      scope: "settings:read",
      query: LeadQuery,
      result: Lead,
      envelope: "data",
      status: 200,
      problems: [],
      example: { result: leadExample },
      render: renderLead,
      sort: (row) => [row.id],
    },
    listLeads,
  )
  .add(
    {
      id: "getLead",
      method: "get",
      path: "/settings/:company/leads/:id",
      summary: "Read a lead with what was sent of it",
      scope: "settings:read",
      params: IdParams,
      result: LeadWithSubmissions,
      envelope: "data",
      status: 200,
      problems: ["not_found"],
      example: { result: { ...leadExample, submissions: [submissionExample] } },
      render: renderLeadWithSubmissions,
    },
    getLead,
  )
  .add(
    {
      id: "closeLead",
      method: "post",
      path: "/settings/:company/leads/:id/close",
      summary: "Close a lead",
      description: "What the same person sends after that opens a new lead.",
      scope: "settings:write",
      params: IdParams,
      body: LeadClose,
      result: Lead,
      envelope: "data",
      status: 200,
      problems: ["not_found"],
      example: { body: { status: "converted" }, result: closedExample },
      render: renderLead,
    },
    closeLead,
  )
  .list(
    {
      id: "listLeadSubmissions",
      method: "get",
      path: "/settings/:company/leads/:id/submissions",
      summary: "List what was sent of a lead",
      scope: "settings:read",
      params: IdParams,
      result: Submission,
      envelope: "data",
      status: 200,
      problems: ["not_found"],
      example: { result: submissionExample },
      render: renderSubmission,
      sort: (row) => [row.id],
    },
    listLeadSubmissions,
  )
  .file(
    {
      id: "downloadAttachment",
      method: "get",
      path: "/settings/:company/leads/:id/submissions/:submission_id/attachment",
      summary: "Download the attachment of a submission",
      scope: "settings:read",
      params: SubmissionParams,
      problems: ["not_found"],
    },
    downloadAttachment,
  )
  .add(
    {
      id: "getLeadSettings",
      method: "get",
      path: "/settings/:company/lead-settings",
      summary: "Read the settings of leads",
      scope: "settings:read",
      result: LeadSettings,
      envelope: "data",
      status: 200,
      problems: [],
      example: { result: settingsExample },
      render: renderLeadSettings,
    },
    getLeadSettings,
  )
  .add(
    {
      id: "updateLeadSettings",
      method: "patch",
      path: "/settings/:company/lead-settings",
      summary: "Change the settings of leads",
      scope: "settings:write",
      body: LeadSettingsPatch,
      result: LeadSettings,
      envelope: "data",
      status: 200,
      problems: ["no_accepted_fields"],
      example: {
        body: { retention_days: 365, turnstile_secret: "0x4AAAAAAAexample9xQ2" },
        result: settingsExample,
      },
      render: renderLeadSettings,
    },
    updateLeadSettings,
  );
