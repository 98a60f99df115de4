import { type SQLWrapper, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx, Ctx, WriteCtx } from "#core/context.ts";
import { BatchRefused } from "#core/database/failure.ts";
import type { Due, Look } from "#core/due.ts";
import { from, idText } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { AnotherBatch, atomic, type Refusals, refuseWhen, systemWrite } from "#core/write/atomic.ts";
import { nextCall } from "#core/write/next-call.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { foreignLines, journalEntries, unposted } from "#tables/ledger";
import { POSTING } from "../entries/post.ts";
import { findMissing } from "./find-missing.ts";
import { Plan } from "./plan-missing.ts";
import { document } from "./unposted.ts";

const ATTEMPTS = 10;
const LATELY_MS = 2 * MINUTE_MS;

const posted = record(
  journalEntries,
  {
    source_type: from(
      sql<RowOf<typeof document>["source_type"]>`${journalEntries.sourceType}`,
      document.schema.shape.source_type,
    ),
    source_id: idText,
    journal_entry_id: from(journalEntries.id, idText),
  },
  "PostedDocument",
);
const PostedDocuments = z
  .object({
    posted: z.array(posted.schema),
    left: z.int().describe("How many documents have no journal entry still."),
  })
  .meta({ id: "PostedDocuments" });
type PostedRow = { id: string; posted: RowOf<typeof posted>[]; left: number };

export const postMissingRoutes = new Router("Ledger", "/post-missing").post({ postMissing }, "/", {
  summary: "Post documents that have no journal entry",
  description:
    "Posts at most 200 documents of `GET /ledger/{company}/unposted` whose reason has gone, the oldest first, each on its own date. The others keep their place in that list, with the reason of today. The service does the same within minutes of a new exchange rate, an account that is active again or a lock that is moved back, and at least once a day.",
  record: {
    schema: PostedDocuments,
    render: (row: PostedRow) => ({ posted: row.posted.map((one) => posted.render(one)), left: row.left }),
  },
});

/** What another call was first with, or has changed, between the read and the batch. */
const moved = () => new AnotherBatch();
const MOVED: Refusals = {
  invalid_status: moved,
  period_locked: moved,
  "journal_entries.entry_date": moved,
  "journal_lines.account_id": moved,
};

/** Posts documents whose reason for having no entry has gone. Calls at once post each of them once. */
async function postMissing(ctx: WriteCtx): Promise<PostedRow> {
  const answer = sql<PostedRow>`SELECT json_object('id', ${ctx.call.id}, 'posted', (
      SELECT json_group_array(json(snapshot)) FROM (${posted.select(sql`${journalEntries.operation} = ${ctx.call.id} ORDER BY ${journalEntries.ordinal}`)})
    ), 'left', (SELECT count(*) FROM ${unposted})) AS snapshot`;
  for (let attempt = 1; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await atomic(ctx, posting(ctx, await plan(ctx)), answer, MOVED);
    } catch (error) {
      if (!(error instanceof AnotherBatch)) throw error;
    }
  }
  return atomic(ctx, [], answer);
}

/** The same for all of them, in batches. */
export async function postAllMissing(given: Ctx): Promise<void> {
  for (let refused = 0; refused < ATTEMPTS; ) {
    const ctx = nextCall(given, "postMissing", "missing");
    const next = await plan(ctx);
    if (next.postings.length + next.reasons.length === 0) return;
    try {
      await systemWrite(ctx, posting(ctx, next));
    } catch (error) {
      if (!(error instanceof BatchRefused && Object.hasOwn(MOVED, error.code))) throw error;
      refused += 1;
    }
  }
}

/** Documents that were left without an entry a moment ago: their rate may be there. */
export const missingPostings: Due = {
  look: (ctx) => sql<Look>`SELECT json_object('due', EXISTS (SELECT 1 FROM (
    SELECT ${unposted.createdAt}, ${unposted.reason} FROM ${unposted} ORDER BY ${unposted.id} DESC LIMIT 1
  ) WHERE created_at > ${ctx.now - LATELY_MS} AND reason <> 'no_financial_year'), 'next', NULL) AS snapshot`,
  act: (ctx) => postAllMissing(ctx).then(() => null),
};

/** A write after which documents may be posted that could not be before: they are, once it is answered. */
export function thenPosting<Params, Body, Row>(
  write: (ctx: Ctx, params: Params, body: Body) => Promise<Row>,
) {
  return async (ctx: Ctx, params: Params, body: Body): Promise<Row> => {
    const row = await write(ctx, params, body);
    ctx.afterwards(postAllMissing(ctx));
    return row;
  };
}

/** What is to be posted next, in one read as a rule. */
async function plan(ctx: CallCtx): Promise<Plan> {
  const next = new Plan();
  for (let after = 0; ; ) {
    const { found, isAll } = await findMissing(ctx, after);
    if (!next.add(ctx, found) || isAll) return next;
    after = found.at(-1)?.id ?? after;
  }
}

/** The statements of a plan. They refuse it where another call was first with a document, or with one in another currency. */
function posting(ctx: CallCtx, { postings, reasons }: Plan): SQLWrapper[] {
  const documents = JSON.stringify(postings);
  const seen = postings.find(({ is_foreign }) => is_foreign === 1)?.seen ?? null;
  const value = (name: string) => sql`posting.value ->> ${sql.raw(`'$.${name}'`)}`;
  const waiting = sql`${unposted.id} IN (SELECT ${value("id")} FROM json_each(${documents}) AS posting)`;
  return [
    refuseWhen(
      sql`(SELECT count(*) FROM ${unposted} WHERE ${waiting}) <> ${postings.length}
        OR (SELECT coalesce(max(${foreignLines.entryId}), 0) FROM ${foreignLines}) <> ${seen}`,
      "invalid_status",
    ),
    sql`INSERT INTO journal_postings (${POSTING})
      SELECT ${ctx.call.id}, ${value("id")}, ${value("period")}, ${value("entry_date")}, ${value("voucher_type")},
        ${value("source_type")}, ${value("source_id")}, ${value("narration")}, ${ctx.now}, ${value("year.name")},
        ${value("year.start")}, ${value("year.end")}, NULL, ${value("lines")}
      FROM json_each(${documents}) AS posting ORDER BY posting.key`,
    sql`INSERT INTO ${foreignLines} (entry_id, position, amount, exchange_rate_id, rate_of)
      SELECT ${journalEntries.id}, line.key + 1, line.value ->> '$.foreign', line.value ->> '$.rate_id', line.value ->> '$.rate_of'
      FROM json_each(${documents}) AS posting JOIN ${journalEntries} ON ${journalEntries.operation} = ${ctx.call.id}
        AND ${journalEntries.ordinal} = ${value("id")}
      CROSS JOIN json_each(posting.value, '$.lines') AS line WHERE line.value ->> '$.foreign' IS NOT NULL`,
    sql`DELETE FROM ${unposted} WHERE ${waiting}`,
    sql`UPDATE ${unposted} SET reason = known.value ->> '$.reason' FROM json_each(${JSON.stringify(reasons)}) AS known
      WHERE ${unposted.id} = known.value ->> '$.id'`,
  ];
}
