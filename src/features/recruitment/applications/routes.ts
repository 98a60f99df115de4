import { Router } from "#api/operations/operation.ts";
import { RecordParams } from "#shared/fields/ids.ts";
import { JobParams } from "../jobs/schema.ts";
import {
  downloadResume,
  getApplication,
  listApplications,
  renderApplication,
  updateApplication,
} from "./applications.ts";
import { apply, renderReceived } from "./apply.ts";
import { applicationExample, newApplicationExample, receivedExample } from "./examples.ts";
import {
  getRecruitmentSettings,
  renderRecruitmentSettings,
  updateRecruitmentSettings,
} from "./retention-settings.ts";
import {
  Application,
  ApplicationForm,
  ApplicationPatch,
  ApplicationQuery,
  ReceivedApplication,
  RecruitmentSettings,
  RecruitmentSettingsPatch,
} from "./schema.ts";

export const applicationRoutes = new Router("Recruitment").add(
  {
    id: "applyForJob",
    method: "post",
    changes: ["application"],
    path: "/recruitment/:company/jobs/:slug/apply",
    summary: "Apply for a job",
    description:
      "One application for each job and e-mail address; upper and lower case are equal. A second one is 409 with the `application_number` and `applied_at` of the first. An empty field counts as not sent.",
    scope: "applications.write",
    params: JobParams,
    body: ApplicationForm,
    form: "always",
    result: ReceivedApplication,
    status: 201,
    problems: ["duplicate_application", "number_exhausted"],
    example: { body: newApplicationExample, result: receivedExample },
    render: renderReceived,
  },
  apply,
);

export const applicationSettingsRoutes = new Router("Settings: Applications")
  .list(
    {
      id: "listApplications",
      method: "get",
      path: "/settings/:company/applications",
      summary: "List applications",
      scope: "settings:read",
      query: ApplicationQuery,
      result: Application,
      example: { result: applicationExample },
      render: renderApplication,
      sort: (row) => [row.id],
    },
    listApplications,
  )
  .add(
    {
      id: "getApplication",
      method: "get",
      path: "/settings/:company/applications/:id",
      summary: "Read an application",
      scope: "settings:read",
      params: RecordParams,
      result: Application,
      example: { result: applicationExample },
      render: renderApplication,
    },
    getApplication,
  )
  .add(
    {
      id: "updateApplication",
      method: "patch",
      changes: ["application"],
      path: "/settings/:company/applications/:id",
      summary: "Move an application",
      description: "From any status to any other.",
      scope: "settings:write",
      params: RecordParams,
      body: ApplicationPatch,
      result: Application,
      problems: ["no_accepted_fields"],
      example: { body: { status: "interview" }, result: { ...applicationExample, status: "interview" } },
      render: renderApplication,
    },
    updateApplication,
  )
  .file(
    {
      id: "downloadResume",
      method: "get",
      path: "/settings/:company/applications/:id/resume",
      summary: "Download the resume of an application",
      scope: "settings:read",
      params: RecordParams,
    },
    downloadResume,
  )
  .add(
    {
      id: "getRecruitmentSettings",
      method: "get",
      path: "/settings/:company/recruitment-settings",
      summary: "Read the settings of recruitment",
      scope: "settings:read",
      result: RecruitmentSettings,
      example: { result: { retention_days: 730 } },
      render: renderRecruitmentSettings,
    },
    getRecruitmentSettings,
  )
  .add(
    {
      id: "updateRecruitmentSettings",
      method: "patch",
      changes: [],
      path: "/settings/:company/recruitment-settings",
      summary: "Change the settings of recruitment",
      scope: "settings:write",
      body: RecruitmentSettingsPatch,
      result: RecruitmentSettings,
      problems: ["no_accepted_fields"],
      example: { body: { retention_days: 730 }, result: { retention_days: 730 } },
      render: renderRecruitmentSettings,
    },
    updateRecruitmentSettings,
  );
