import { sql } from "drizzle-orm";
import * as z from "zod";
import { resource } from "#api/operations/resource.ts";
import type { OutsideCtx, ReadCtx } from "#core/context.ts";
import { externalIdsOf } from "#core/sql/external-id.ts";
import { added, amount, from, instant, internal, nullable, rendered } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { moneyToWire } from "#shared/fields/numbers.ts";
import { leadSubmissions, leads } from "#tables/leads";

/** A lead as its company sees it. */
export const lead = record(
  leads,
  {
    id: z.int(),
    external_id: added(
      z.string().nullable().describe("The id that you gave it, or null."),
      ({ external_ids: [first] }: { external_ids: string[] }) => first ?? null,
    ),
    external_ids: from(
      sql<string[]>`json((SELECT json_group_array(external_id) FROM (${externalIdsOf("lead", leads.id)})))`,
      z.array(z.string()).describe("All ids that you gave it, the first one first."),
    ),
    lead_number: z.string().describe("The number that the company and the person quote."),
    status: z.enum(["new", "converted", "lost"]),
    source: z.string().describe("The `slug` of a lead source."),
    name: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    company_name: z.string().nullable(),
    job_title: z.string().nullable(),
    website: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    country: z.string().nullable(),
    pincode: z.string().nullable(),
    product_interest: z.string().nullable(),
    budget: nullable(amount),
    submission_count: z.int(),
    created_at: instant,
    last_submitted_at: instant,
    closed_at: nullable(instant),
    updated_at: instant,
  },
  "Lead",
);
export type LeadRow = RowOf<typeof lead>;

type Attached = {
  id: number;
  lead_id: number;
  attachment_name: string | null;
  attachment_type: string | null;
  attachment_size: number | null;
};

/** What was sent of a lead once, as its company sees it. */
export const submission = record(
  leadSubmissions,
  {
    id: z.int(),
    lead_id: internal<number>(),
    fields: from(
      sql<Record<string, unknown>>`json(${leadSubmissions.content})`,
      rendered(
        z.record(z.string(), z.unknown()).meta({ description: "The fields as sent, by name." }),
        (sent: Record<string, unknown>) =>
          typeof sent.budget === "number" ? { ...sent, budget: moneyToWire(sent.budget) } : sent,
      ),
    ),
    attachment_name: internal<string | null>(),
    attachment_type: internal<string | null>(),
    attachment_size: internal<number | null>(),
    attachment: added(
      z
        .object({
          name: z.string(),
          content_type: z.string(),
          size: z.int().describe("In bytes."),
          url: z.string(),
        })
        .nullable(),
      attachmentOf,
    ),
    submitted_at: instant,
  },
  "LeadSubmission",
);
export type SubmissionRow = RowOf<typeof submission>;

function attachmentOf(row: Attached, { origin, company }: ReadCtx & OutsideCtx) {
  if (row.attachment_name === null) return null;
  const path = `/v1/settings/${company.slug}/leads/${row.lead_id}/submissions/${row.id}/attachment`;
  return {
    name: row.attachment_name,
    content_type: row.attachment_type ?? "",
    size: row.attachment_size ?? 0,
    url: origin + path,
  };
}

/** The data of lead events: as in lists, without what was sent. */
export const leadResource = resource({
  name: "lead",
  scope: "settings:read",
  record: lead,
  select: (_ctx, id) => lead.select(sql`${leads.id} = ${id}`),
  upgrades: [(row: object) => ({ ...row, external_ids: [] })],
});
