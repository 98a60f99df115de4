import { sql } from "drizzle-orm";
import type { Ctx, OutsideCtx, TakenQuota, WriteCtx } from "#core/context.ts";
import { takeAll } from "#core/quota.ts";
import { requireScope } from "#core/required-scope.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { atomic, takeTurn } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import {
  type AcceptedRow,
  acceptWithin,
  activeProvider,
  newMessageId,
  requireProvider,
  selectAccepted,
  spentByAll,
  spentByKey,
  storeMessage,
  warningsOf,
} from "#features/messaging";
import { cleanHtml, htmlToText } from "#shared/html/clean-html.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import type { Language } from "#shared/text/language.ts";
import { SENTENCES } from "../defaults/sentences.ts";
import { EXAMPLE_VALUES } from "../examples.ts";
import { RULES } from "../rules.ts";
import { selectFacts } from "../send/find-due.ts";
import { setupQuery } from "../send/find-setup.ts";
import { dateIn, moneyIn } from "../send/formats.ts";
import { messageOf, shortText, smsText } from "../send/message.ts";
import { spentSince } from "../send/spent.ts";
import { valuesOf } from "../send/values.ts";
import type { Channel } from "../states.ts";
import { filled, filledHtml, type Values } from "../template.ts";
import type { Preview, TemplateParams, TemplateTest } from "./schema.ts";
import { here, placeOf } from "./templates.ts";
import { selectTemplates, textFor } from "./texts.ts";

const EXAMPLE_DATE = "2026-12-01";
const EXAMPLE_AMOUNT = 7_500;

/** The scopes that read the records of rules. */
const SCOPES = {
  booking: "settings:read",
  invoice: "invoices:read",
  order: "orders:read",
  payment: "payments:read",
  credit_note: "invoices:read",
  refund: "payments:read",
  lead: "settings:read",
  application: "settings:read",
} as const;

export type PreviewRow = {
  subject: string | null;
  html: string | null;
  text: string;
  warnings?: (ReturnType<typeof warningsOf>[number] | "text_cut")[];
};
export type TestRow = AcceptedRow & { to: string };

/** What a text says of a record, or of an example. Nothing is sent. */
export async function previewTemplate(
  ctx: WriteCtx & OutsideCtx,
  params: TemplateParams,
  { record_id: record }: Preview,
): Promise<PreviewRow> {
  const { about } = RULES[params.rule];
  const scope = record === undefined || about === null ? undefined : SCOPES[about];
  if (scope !== undefined) requireScope(ctx, scope);
  const [stored, setups, found] = await read(ctx, [
    jsonQuery(ctx, selectTemplates(here(params))),
    setupQuery(ctx),
    jsonQuery(ctx, selectFacts(about ?? "", record ?? "")),
  ]);
  const [setup] = parseRows(setups);
  const [facts] = parseRows(found);
  if (record !== undefined && facts === undefined)
    throw fieldProblem("record_id", "not_found", "is not a record of the kind that the rule is about");
  const { language, rule } = params;
  const told = { language, companyName: setup?.company_name ?? ctx.company.name };
  const values: Values =
    facts === undefined
      ? exampleFor(ctx, told)
      : valuesOf(ctx, { rule, facts: mayAct(ctx) ? facts : { ...facts, ...{ token: "" } }, count: 1 }, told);
  const text = textFor({ ...params, audience: RULES[rule].to[0] }, parseRows(stored));
  const seen = JSON.stringify({ id: placeOf(params), ...(await said(ctx, params.channel, text, values)) });
  return atomic(ctx, [], sql<PreviewRow>`SELECT ${seen}`);
}

/** What stands in a text where there is no record: written as a message of the company would be. */
function exampleFor(
  { company: { currency, timezone } }: Pick<Ctx, "company">,
  { language, companyName }: { language: Language; companyName: string },
): Values {
  const [date, amount] = [dateIn(language, EXAMPLE_DATE), moneyIn(language, EXAMPLE_AMOUNT, currency)];
  const lesson = { "booking.date": date, "booking.held": `${date}, 09:45`, "booking.was": `${date}, 12:00` };
  const zone = { "booking.zone": timezone, "booking.payment": SENTENCES[language].unpaid };
  const amounts = { "payment.amount": amount, "invoice.amount": amount, "booking.amount": amount };
  return {
    ...EXAMPLE_VALUES,
    ...lesson,
    ...zone,
    "invoice.due": date,
    ...amounts,
    "company.name": companyName,
  };
}

/** Whether the caller may have a booking's address, by which anybody acts as its customer. */
function mayAct({ client }: OutsideCtx): boolean {
  return client.holds("settings:write") || client.holds("diary:write");
}

async function said(
  ctx: Pick<Ctx, "company">,
  channel: Channel,
  { registered, ...text }: ReturnType<typeof textFor>,
  values: Values,
): Promise<PreviewRow> {
  if (channel === "chatapp") return { subject: null, html: null, text: shortText(text, values) };
  if (channel === "sms") {
    const sms = smsText(ctx, text, values);
    const cut = sms === shortText(text, values) ? [] : ["text_cut" as const];
    const warnings = [...warningsOf(sms, registered ?? undefined), ...cut];
    return { subject: null, html: null, text: sms, warnings };
  }
  const { own, usual } = text;
  const html = filledHtml(await cleanHtml(own?.html ?? usual.html, { styles: true }), values);
  return { subject: filled(own?.subject ?? usual.subject, values), html, text: htmlToText(html) };
}

export function renderPreview({ subject, html, text, warnings = [] }: PreviewRow) {
  return { subject, html, text, ...(warnings.length === 0 ? {} : { warnings }) };
}

/** Sends a text, with an example's values, as a test; it counts in the company's cap and in the key's quota. */
export async function testTemplate(ctx: Ctx, params: TemplateParams, { to }: TemplateTest): Promise<TestRow> {
  const { rule, channel, language } = params;
  requireScope(ctx, `messages:${channel}:send`);
  if ((channel === "email") !== to.includes("@"))
    throw fieldProblem(
      "to",
      "invalid_format",
      `must be ${channel === "email" ? "an e-mail address" : "digits"}`,
    );
  const [stored, setups, providers] = await read(ctx, [
    jsonQuery(ctx, selectTemplates(here(params))),
    setupQuery(ctx),
    activeProvider(ctx, channel),
  ]);
  const [setup] = parseRows(setups);
  const provider = requireProvider(ctx, channel, providers);
  const { registered, ...text } = textFor({ ...params, audience: RULES[rule].to[0] }, parseRows(stored));
  const message = await messageOf(ctx, {
    ...{ channel, rule, text, provider },
    recipients: [{ name: "", email: to, phone: `+${to}` }],
    values: exampleFor(ctx, { language, companyName: setup?.company_name ?? ctx.company.name }),
    fromName: setup?.from_name ?? null,
    calendarOf: null,
    registered: registered ?? undefined,
  });
  if (message === "no_address") throw fieldProblem("to", "invalid_format", "is no number");
  if (message === "no_template")
    throw new Problem("conflict", {
      message: "The text has to name a registered or approved template first",
    });
  await takeTurn(ctx);
  const taken = await reserveBoth(ctx, setup?.daily_cap ?? 0);
  const id = newMessageId(ctx);
  const snapshot = sql<TestRow>`SELECT json_set((${selectAccepted(id)}), '$.to', ${to})`;
  return acceptWithin(ctx, taken, () => atomic(ctx, storeMessage(ctx, id, message), snapshot));
}

/** Takes from the key's quota and the company's, or from neither; the ceiling of both is read once. */
function reserveBoth(ctx: Ctx, cap: number): Promise<TakenQuota> {
  return takeAll([
    ctx.reserveQuota(
      1,
      (since) => spentByKey(ctx, since),
      (since) => spentByAll(ctx, since),
    ),
    ctx.reserveOwnQuota(cap, 1, (since) => spentSince(ctx, since)),
  ]);
}
