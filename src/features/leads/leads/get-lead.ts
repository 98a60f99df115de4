import { eq, sql } from "drizzle-orm";
import type { CallCtx } from "#core/context.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { read } from "#core/write/replay.ts";
import type { RecordParams } from "#shared/fields/ids.ts";
import { Problem } from "#shared/problem.ts";
import { leadSubmissions, leads } from "#tables/leads";
import { type LeadRow, lead, type SubmissionRow, submission } from "./record.ts";

const SHOWN_WITH_LEAD = 100;

type LeadWithSubmissions = LeadRow & { submissions: SubmissionRow[] };

/** A lead with the newest of what was sent of it. */
export async function getLead(ctx: CallCtx, { id }: RecordParams): Promise<LeadWithSubmissions> {
  const newest = sql`${leadSubmissions.leadId} = ${id} ORDER BY ${leadSubmissions.id} DESC LIMIT ${SHOWN_WITH_LEAD}`;
  const [rows, submissions] = await read(ctx, [
    jsonQuery(ctx, lead.select(eq(leads.id, id))),
    jsonQuery(ctx, submission.select(newest)),
  ]);
  const [found] = parseRows(rows);
  if (found === undefined) throw new Problem("not_found");
  return { ...found, submissions: parseRows(submissions) };
}
