import { Router } from "#contract/operation.ts";
import { captureLead, renderCaptured } from "./capture.ts";
import { capturedExample, newLeadExample, sourceExample } from "./examples.ts";
import { listSources } from "./list-sources.ts";
import { CapturedLead, LeadForm, LeadSource } from "./schema.ts";

export const leadRoutes = new Router("Leads")
  .add(
    {
      id: "captureLead",
      method: "post",
      path: "/leads/:company/capture",
      summary: "Capture a lead",
      description:
        "JSON, or a form where a file comes with it. Whoever writes again, by the e-mail address or else the phone number, adds to the lead that is open: it is counted, kept and overwrites nothing. Fields of other names are kept under `metadata`.",
      scope: "capture_leads",
      body: LeadForm,
      form: "accepted",
      result: CapturedLead,
      envelope: "success",
      status: 200,
      problems: ["captcha_failed", "number_exhausted"],
      example: { body: newLeadExample, result: capturedExample },
      render: renderCaptured,
    },
    captureLead,
  )
  .all(
    {
      id: "listLeadSources",
      method: "get",
      path: "/leads/:company/sources",
      summary: "List lead sources",
      description: "The active ones.",
      scope: "view_lead_sources",
      result: LeadSource,
      envelope: "success",
      status: 200,
      problems: [],
      example: { result: sourceExample },
      render: (row) => row,
    },
    listSources,
  );
