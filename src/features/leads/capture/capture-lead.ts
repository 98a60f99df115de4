import { type Column, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { CallCtx, Ctx, ReadCtx } from "#core/context.ts";
import type { FileRecord } from "#core/files/folder.ts";
import { withFile } from "#core/files/with-file.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { asList, readOne } from "#core/sql/read-records.ts";
import { atomic } from "#core/write/atomic.ts";
import { asRetired } from "#core/write/create-or-change.ts";
import { keepIfFree } from "#core/write/external-ids.ts";
import { lastNumber, takeNumber } from "#core/write/number-series.ts";
import { read } from "#core/write/replay.ts";
import { lookAlike } from "#shared/look-alike.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import { leadSettings, leadSubmissions, leads } from "#tables/leads";
import { ATTACHMENTS } from "../leads/attachments.ts";
import { MENDED, type Mend } from "../leads/mend.ts";
import type { LeadForm } from "../leads/schema.ts";
import { usablePhone } from "../leads/usable-phone.ts";
import { activeSources } from "../sources/sources.ts";
import { type Identity, identityOf, isOpenFor } from "./identity.ts";
import { isSpam } from "./spam.ts";
import { contentOf, hashOf, type LeadWarning } from "./submission-content.ts";
import { requireHuman } from "./turnstile.ts";

const SERIES = "lead";
/** `LEAD-000001`. */
const PREFIX = "LEAD-";
const DIGITS = 6;
const DEFAULT_SOURCE = "website";
/** The same content again within five minutes is a second click. */
const SAME_WITHIN_MS = 300_000;

type CapturedRow = {
  id: number;
  lead_number: string;
  submission_count: number;
  created_at: number;
  /** Of this very submission, where it was kept. */
  attachment_path: string | null;
  warnings: LeadWarning[];
};

/** What callers give ids of their own to. The same submission again answers with the lead that stands. */
export const leadIds = {
  kind: "lead",
  isDocument: true,
  isNeverRefused: true,
  again: (ctx: CallCtx, id: string) =>
    readOne(ctx, selectCaptured(ctx, sql`${leads.id} = ${Number(id)}`, [])).catch(asRetired),
} as const;

/** Adds a lead, or the submission to the open lead of the same person; what is there already is never overwritten. */
export async function captureLead(ctx: Ctx, _params: unknown, form: LeadForm): Promise<CapturedRow> {
  if (isSpam(form)) return unstored(ctx);
  const [[settings], list] = await read(ctx, [
    ctx.db.select({ secret: leadSettings.turnstileSecret }).from(leadSettings),
    jsonQuery(ctx, asList(activeSources())),
  ]);
  const isListed = parseRows(list)
    .flat()
    .some(({ slug }) => slug === form.source);
  if (settings?.secret != null) await requireHuman(ctx, settings.secret, form.turnstile_token);

  const { [MENDED]: mends = [], source: word, ...others } = form;
  const unlisted: Mend[] =
    word == null || isListed ? [] : [{ field: "source", code: "kept_in_metadata", value: word }];
  const { content, warnings } = contentOf({ ...others, ...(isListed && { source: word }) }, [
    ...mends,
    ...unlisted,
  ]);
  const attachment = form.attachment ?? undefined;
  const hash = await hashOf(content, attachment);
  const identity = identityOf(form, hash);
  return withFile(
    ctx,
    ATTACHMENTS,
    attachment,
    (file) =>
      atomic(
        ctx,
        [
          takeNumber(SERIES, "", sql`NOT EXISTS (SELECT 1 FROM ${leads} WHERE ${isOpenFor(identity)})`),
          openLead(ctx, form, identity, isListed ? word : null),
          countSubmission(ctx, form, identity),
          keepSubmission(ctx, identity, content, hash, file),
          ...keepIfFree(ctx, sql`SELECT ${leads.id} FROM ${leads} WHERE ${isOpenFor(identity)}`),
        ],
        selectCaptured(ctx, isOpenFor(identity), warnings),
      ),
    (row) => row.attachment_path,
  );
}

export function renderCaptured(row: CapturedRow) {
  return {
    id: row.id,
    lead_number: row.lead_number,
    status: "new" as const,
    duplicate: row.submission_count > 1,
    submission_count: row.submission_count,
    created_at: timestampToWire(row.created_at),
    ...(row.warnings.length === 0 ? {} : { warnings: row.warnings }),
  };
}

function openLead(ctx: ReadCtx, form: LeadForm, identity: Identity, source: string | null | undefined): SQL {
  const name = form.name ?? `${form.first_name} ${form.last_name}`;
  const phone = usablePhone(form.phone) ?? form.phone ?? null;
  const number = sql`printf(${`${PREFIX}%0${DIGITS}d`}, ${lastNumber(SERIES, "")})`;
  return sql`INSERT INTO ${leads} (lead_number, email_norm, phone_last9, status, source, name, email, phone,
      submission_count, created_at, last_submitted_at, updated_at)
    SELECT ${number}, ${identity.email}, ${identity.phone}, 'new', ${source ?? DEFAULT_SOURCE}, ${name}, ${form.email ?? null}, ${phone},
      0, ${ctx.now}, ${ctx.now}, ${ctx.now}
    WHERE NOT EXISTS (SELECT 1 FROM ${leads} WHERE ${isOpenFor(identity)})`;
}

/**
 * Counts the submission, and fills in what the lead does not say yet; never an e-mail address or a phone number, for anybody
 * may write in another's name: the submission keeps what was typed.
 */
function countSubmission(ctx: ReadCtx, form: LeadForm, identity: Identity): SQLWrapper {
  const orElse = (column: Column, value: string | number | null | undefined) =>
    sql`coalesce(${column}, ${value ?? null})`;
  return ctx.db
    .update(leads)
    .set({
      submissionCount: sql`${leads.submissionCount} + 1`,
      lastSubmittedAt: ctx.now,
      updatedAt: ctx.now,
      companyName: orElse(leads.companyName, form.company_name),
      jobTitle: orElse(leads.jobTitle, form.job_title),
      website: orElse(leads.website, form.website),
      city: orElse(leads.city, form.city),
      state: orElse(leads.state, form.state),
      country: orElse(leads.country, form.country),
      pincode: orElse(leads.pincode, form.pincode),
      productInterest: orElse(leads.productInterest, form.product_interest),
      budget: orElse(leads.budget, form.budget),
    })
    .where(isOpenFor(identity));
}

function keepSubmission(
  ctx: CallCtx,
  identity: Identity,
  content: Record<string, unknown>,
  hash: string,
  file: FileRecord | null,
): SQL {
  return sql`INSERT INTO ${leadSubmissions} (operation, lead_id, content_hash, content, attachment_path,
      attachment_name, attachment_type, attachment_size, submitted_at)
    SELECT ${ctx.call.id}, id, ${hash}, ${JSON.stringify(content)}, ${file?.path ?? null},
      ${file?.name ?? null}, ${file?.type ?? null}, ${file?.size ?? null}, ${ctx.now}
    FROM ${leads} WHERE ${isOpenFor(identity)} AND NOT EXISTS (
      SELECT 1 FROM ${leadSubmissions} WHERE lead_id = ${leads.id} AND content_hash = ${hash}
        AND submitted_at > ${ctx.now - SAME_WITHIN_MS}
    )`;
}

function selectCaptured(ctx: CallCtx, which: SQL, warnings: readonly LeadWarning[]): SQL<CapturedRow> {
  return sql`SELECT json_object('id', id, 'lead_number', lead_number, 'submission_count', submission_count,
      'created_at', created_at, 'warnings', json(${JSON.stringify(warnings)}), 'attachment_path', (
        SELECT attachment_path FROM ${leadSubmissions} WHERE operation = ${ctx.call.id}
      )) AS snapshot
    FROM ${leads} WHERE ${which}`;
}

/** The answer to a bot, of which nothing is stored. */
function unstored(ctx: ReadCtx): CapturedRow {
  const { id, number } = lookAlike(PREFIX, DIGITS);
  return {
    id,
    lead_number: number,
    submission_count: 1,
    created_at: ctx.now,
    attachment_path: null,
    warnings: [],
  };
}
