import { and, eq, type SQL, sql } from "drizzle-orm";
import type { CallCtx, OutsideCtx, WriteCtx } from "#core/context.ts";
import { requireSettingRights } from "#core/required-scope.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { readAll } from "#core/sql/read-records.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { cleanHtml } from "#shared/html/clean-html.ts";
import { fieldProblem, type Problem } from "#shared/problem.ts";
import { quoted } from "#shared/text/quoted.ts";
import { timestampOrNull } from "#shared/time/dates.ts";
import { notificationTemplates as templates } from "#tables/notifications";
import { isAboutMoney, ruleOf, variablesOf } from "../rules.ts";
import type { Channel } from "../states.ts";
import { faultOf } from "../template.ts";
import { htmlLeakOf, leakOf } from "./leaks.ts";
import type { TemplateParams, TemplatePut } from "./schema.ts";
import { type OwnTemplate, type StoredTemplate, selectTemplates, usualText } from "./texts.ts";

type Member = keyof TemplatePut;
/** The members of each channel's texts: those that it needs, and those that it may have. */
const MEMBERS: Record<Channel, { needs: Member[]; may: Member[] }> = {
  email: { needs: ["subject", "html"], may: [] },
  sms: { needs: ["text"], may: ["template_id", "sender_id"] },
  chatapp: { needs: ["template_name", "template_language"], may: ["text"] },
};

/** A stored text; of one that is not, its place alone. */
export type TemplateRow = Pick<StoredTemplate, "rule" | "channel" | "language"> & {
  content: OwnTemplate | null;
  updated_at?: number | null;
};

/** The company's own texts. */
export function listTemplates(ctx: CallCtx): Promise<TemplateRow[]> {
  return readAll(ctx, selectTemplates(sql`1`));
}

/** The text that goes out: the company's own, or that of this product. */
export async function getTemplate(ctx: CallCtx, params: TemplateParams): Promise<TemplateRow> {
  const [cells] = await read(ctx, [jsonQuery(ctx, selectTemplates(here(params)))]);
  return parseRows(cells)[0] ?? { ...params, content: null };
}

/** Keeps a text of the company's own. 422 `template_invalid` where it names what its rule does not have. */
export async function putTemplate(
  ctx: WriteCtx & OutsideCtx,
  params: TemplateParams,
  body: TemplatePut,
): Promise<TemplateRow> {
  requireRights(ctx, params);
  await requireFit(params, body);
  const content = JSON.stringify(body);
  return atomic(
    ctx,
    [
      ctx.db
        .insert(templates)
        .values({ ...params, content, updatedAt: ctx.now })
        .onConflictDoUpdate({
          target: [templates.rule, templates.channel, templates.language],
          set: { content, updatedAt: ctx.now },
        }),
    ],
    named(params, selectTemplates(here(params))),
  );
}

/** Goes back to this product's text. */
export async function deleteTemplate(
  ctx: WriteCtx & OutsideCtx,
  params: TemplateParams,
): Promise<TemplateParams> {
  requireRights(ctx, params);
  const gone = sql<TemplateParams>`SELECT ${JSON.stringify(params)}`;
  return atomic(
    ctx,
    [ctx.db.delete(templates).where(here(params)), refuseIfNone("not_found")],
    named(params, gone),
  );
}

/** A text about money could name another account to pay to. */
function requireRights(ctx: Pick<OutsideCtx, "client">, { rule }: TemplateParams): void {
  requireSettingRights(ctx, "notification-templates", isAboutMoney(rule) ? ["money"] : []);
}

export function renderTemplate({ rule, channel, language, content, updated_at: updatedAt }: TemplateRow) {
  const known = ruleOf(rule);
  const usual = usualText(rule, known?.to[0], language);
  const isMail = channel === "email";
  return {
    ...{ rule, channel, language, is_own: content !== null },
    subject: content?.subject ?? (isMail ? usual.subject : null),
    html: content?.html ?? (isMail ? usual.html : null),
    text: content?.text ?? (channel === "sms" ? `{{company.name}}: ${usual.subject}` : null),
    template_id: content?.template_id ?? null,
    sender_id: content?.sender_id ?? null,
    template_name: content?.template_name ?? null,
    template_language: content?.template_language ?? null,
    variables: [...variablesOf(rule, channel)],
    updated_at: timestampOrNull(updatedAt ?? null),
  };
}

export function here({ rule, channel, language }: TemplateParams): SQL {
  return and(
    eq(templates.rule, rule),
    eq(templates.channel, channel),
    eq(templates.language, language),
  ) as SQL;
}

/** A snapshot with the id that the audit log names the text by. */
function named<Row>(params: TemplateParams, select: SQL<Row>): SQL<Row> {
  return sql<Row>`SELECT json_set((${select}), '$.id', ${placeOf(params)})`;
}

/** What the audit log names a text by. */
export function placeOf({ rule, channel, language }: TemplateParams): string {
  return `${rule}/${channel}/${language}`;
}

async function requireFit({ rule, channel }: TemplateParams, body: TemplatePut): Promise<void> {
  const { needs, may } = MEMBERS[channel];
  for (const member of needs)
    if (body[member] === undefined) throw fieldProblem(member, "required", `is required of ${channel}`);
  for (const [member, text] of Object.entries(body) as [Member, string | undefined][]) {
    if (text === undefined) continue;
    if (![...needs, ...may].includes(member))
      throw fieldProblem(member, "invalid_value", `is not of ${channel}`);
    const variables = variablesOf(rule, channel);
    const fault = faultOf(text, variables);
    if (fault !== null)
      throw invalid(
        member,
        `has ${quoted(fault)}, which is no variable of ${rule}: it has ${variables.join(", ")}`,
      );
    const leak = member === "html" ? null : leakOf(text);
    if (leak !== null) throw invalid(member, leak);
  }
  if (body.html === undefined) return;
  const cleaned = await cleanHtml(body.html, { styles: true });
  if (cleaned === "")
    throw fieldProblem("html", "html_empty", "has nothing left once it is cleaned", "html_empty");
  const leak = htmlLeakOf(cleaned);
  if (leak !== null) throw invalid("html", leak);
}

function invalid(member: Member, words: string): Problem {
  return fieldProblem(member, "template_invalid", words, "template_invalid");
}
