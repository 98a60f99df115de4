import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { flag } from "#core/sql/fields.ts";
import { readAll } from "#core/sql/read-records.ts";
import { record } from "#core/sql/record.ts";
import { collectionVerbs } from "#core/write/collection.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";
import { leadSources } from "#tables/leads";

const sent = z.object({
  name: cleanText({ min: 1, max: 100 }).describe("What forms call it."),
  is_active: z.boolean(),
});
const create = sent
  .extend({
    slug: z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9_-]{0,49}$/,
        "must be 1 to 50 lower-case letters, digits, hyphens or underscores",
      ),
  })
  .partial({ is_active: true });

const sourceSettings = record(
  leadSources,
  {
    id: z.int(),
    slug: z.string().describe("What a lead names as its `source`."),
    name: z.string().describe("What forms call it."),
    is_active: flag,
  },
  "LeadSourceSettings",
);
/** A source as a website shows it. */
const source = sourceSettings.pick("id", "slug", "name");

/** The SELECT of the active sources, the oldest first. */
export const activeSources = () => source.select(sql`${leadSources.isActive} = 1 ORDER BY ${leadSources.id}`);

const listLeadSources = (ctx: CallCtx) => readAll(ctx, activeSources());

export const sourceRoutes = new Router("Leads", "/sources").all({ listLeadSources }, "/", {
  summary: "List lead sources",
  description: "Only active lead sources.",
  record: { schema: source.schema.meta({ id: "LeadSource" }), render: source.render },
});

export const sourceSettingsRoutes = new Router("Settings: Lead sources", "/lead-sources").collection({
  ids: { one: "LeadSource", list: "listLeadSourceSettings" },
  words: ["a lead source", "all lead sources"],
  record: sourceSettings,
  create,
  patch: patchOf(sent),
  verbs: collectionVerbs({ record: sourceSettings, create, made: ({ slug }) => eq(leadSources.slug, slug) }),
  problems: { create: ["conflict"] },
  notes: { delete: { description: "Leads from this source keep its slug." } },
});
