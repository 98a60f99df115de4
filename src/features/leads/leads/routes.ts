import { Router } from "#api/operations/operation.ts";
import { captureLead, leadIds, renderCaptured } from "../capture/capture-lead.ts";
import { closeLead } from "./close-lead.ts";
import { downloadAttachment, getLead, listLeadSubmissions, listLeads } from "./read.ts";
import { lead, submission } from "./record.ts";
import {
  CapturedLead,
  LeadClose,
  LeadForm,
  LeadQuery,
  LeadWithSubmissions,
  SubmissionParams,
} from "./schema.ts";
import { settingsOfLeads } from "./settings.ts";

export const leadRoutes = new Router("Leads", "/").post({ captureLead }, "/capture", {
  changes: ["lead"],
  summary: "Capture a lead",
  description:
    "Send JSON, or a form if there is a file. A submission is added to the open lead that has its e-mail address. A submission without an address is added to the open lead that has the same last nine digits of the phone and no address. Every other submission opens a new lead. What is added is counted and kept; the same submission within five minutes counts once. It fills in empty fields of the lead, but never the address or the phone, and overwrites nothing. Fields with other names are kept under `metadata`. A field that cannot be taken as sent is cut, or kept under `metadata`, and `warnings` say so; the name, the file and the only way to reach the person are refused.",
  body: LeadForm,
  form: "accepted",
  record: { schema: CapturedLead, render: renderCaptured },
  externalIds: leadIds,
  problems: ["captcha_failed", "number_exhausted"],
});

export const leadSettingsRoutes = new Router("Settings: Leads", "/", { record: lead })
  .list({ listLeads }, "/leads", {
    summary: "List leads",
    query: LeadQuery,
  })
  .get({ getLead }, "/leads/:id", {
    summary: "Read a lead with its submissions",
    record: {
      schema: LeadWithSubmissions,
      render: (row, ctx) => ({
        ...lead.render(row),
        submissions: row.submissions.map((one) => submission.render(one, ctx)),
      }),
    },
  })
  .post({ closeLead }, "/leads/:id/close", {
    changes: ["lead"],
    summary: "Close a lead",
    description: "After that, a submission of the same person opens a new lead.",
    body: LeadClose,
  })
  .list({ listLeadSubmissions }, "/leads/:id/submissions", {
    summary: "List the submissions of a lead",
    record: submission,
  })
  .file({ downloadAttachment }, "/leads/:id/submissions/:submission_id/attachment", {
    summary: "Download the attachment of a submission",
    params: SubmissionParams,
  })
  .settings(settingsOfLeads);
