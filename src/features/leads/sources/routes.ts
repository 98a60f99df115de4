import { Router } from "#contract/operation.ts";
import { DeletedNumber, RecordParams, renderDeletedNumber } from "#shared/fields/ids.ts";
import { listSources } from "./active-sources.ts";
import { LeadSource, SourceCreate, SourcePatch, SourceSettings } from "./schema.ts";
import {
  createSource,
  deleteSource,
  getSource,
  listSourceSettings,
  renderSourceSettings,
  updateSource,
} from "./sources.ts";

const sourceExample = { id: 1, slug: "website", name: "Website" };
const sourceSettingsExample = { ...sourceExample, is_active: true };

export const sourceRoutes = new Router("Leads").all(
  {
    id: "listLeadSources",
    method: "get",
    path: "/leads/:company/sources",
    summary: "List lead sources",
    description: "The active ones.",
    scope: "view_lead_sources",
    result: LeadSource,
    envelope: "success",
    example: { result: sourceExample },
    render: (row) => row,
  },
  listSources,
);

export const sourceSettingsRoutes = new Router("Settings: Lead sources")
  .list(
    {
      id: "listLeadSourceSettings",
      method: "get",
      path: "/settings/:company/lead-sources",
      summary: "List all lead sources",
      scope: "settings:read",
      result: SourceSettings,
      example: { result: sourceSettingsExample },
      render: renderSourceSettings,
      sort: (row) => [row.id],
    },
    listSourceSettings,
  )
  .add(
    {
      id: "createLeadSource",
      method: "post",
      changes: [],
      path: "/settings/:company/lead-sources",
      summary: "Add a lead source",
      scope: "settings:write",
      body: SourceCreate,
      result: SourceSettings,
      status: 201,
      problems: ["conflict"],
      example: {
        body: { slug: "trade_fair", name: "Trade fair" },
        result: { ...sourceSettingsExample, id: 13, slug: "trade_fair", name: "Trade fair" },
      },
      render: renderSourceSettings,
    },
    createSource,
  )
  .add(
    {
      id: "getLeadSource",
      method: "get",
      path: "/settings/:company/lead-sources/:id",
      summary: "Read a lead source",
      scope: "settings:read",
      params: RecordParams,
      result: SourceSettings,
      example: { result: sourceSettingsExample },
      render: renderSourceSettings,
    },
    getSource,
  )
  .add(
    {
      id: "updateLeadSource",
      method: "patch",
      changes: [],
      path: "/settings/:company/lead-sources/:id",
      summary: "Change a lead source",
      scope: "settings:write",
      params: RecordParams,
      body: SourcePatch,
      result: SourceSettings,
      problems: ["no_accepted_fields"],
      example: { body: { is_active: false }, result: { ...sourceSettingsExample, is_active: false } },
      render: renderSourceSettings,
    },
    updateSource,
  )
  .add(
    {
      id: "deleteLeadSource",
      method: "delete",
      changes: [],
      path: "/settings/:company/lead-sources/:id",
      summary: "Remove a lead source",
      description: "Leads that came from it keep its slug.",
      scope: "settings:write",
      params: RecordParams,
      result: DeletedNumber,
      example: { result: { id: 13, deleted: true } },
      render: renderDeletedNumber,
    },
    deleteSource,
  );
