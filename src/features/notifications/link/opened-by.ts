import type { HmacCtx, OutsideCtx, ReadCtx } from "#core/context.ts";
import type { Language } from "#shared/text/language.ts";
import { ruleOf, variablesOf } from "../rules.ts";
import type { DueNotification } from "../send/find-due.ts";
import { pageOf } from "../send/values.ts";
import type { Values } from "../template.ts";
import { linkTo } from "./link.ts";

/** The link of a mail to the company's people; no other reader and no phone gets one. */
export async function openedBy(
  ctx: ReadCtx & OutsideCtx & HmacCtx,
  due: DueNotification,
  language: Language,
): Promise<Values> {
  const { id, rule, channel, recipient, record_id: record } = due;
  if (recipient !== "company" || !variablesOf(rule, channel).includes("notice.link")) return {};
  const about = ruleOf(rule)?.about;
  const kind = about === "lead" || about === "application" ? about : "notice";
  const link = await linkTo(ctx, { kind, id: kind === "notice" ? id : Number(record) });
  return { "notice.link": pageOf(link, language) };
}
