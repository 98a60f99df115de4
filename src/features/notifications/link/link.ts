import type { HmacCtx, OutsideCtx, ReadCtx } from "#core/context.ts";
import { bytesOf, headOf, isSigned, NUMBER_BYTES, numberIn, signedToken } from "#core/secrets/token.ts";
import { Problem } from "#shared/problem.ts";
import { toBase64Url } from "#shared/text/base64url.ts";
import type { Language } from "#shared/text/language.ts";
import { DAY_MS } from "#shared/time/durations.ts";
import { ruleOf, variablesOf } from "../rules.ts";
import type { DueNotification } from "../send/find-due.ts";
import { pageOf } from "../send/values.ts";
import type { Values } from "../template.ts";

/** What a link of a mail opens; the token has its place, so that a new kind comes last. */
const KINDS = ["notice", "lead", "application", "order"] as const;
export type LinkKind = (typeof KINDS)[number];
/** One thing of the company, and until when its link opens it. */
export type Target = { kind: LinkKind; id: number; expiresAt: number; isOpen: boolean };
type LinkCtx = Pick<ReadCtx & OutsideCtx & HmacCtx, "company" | "hmacs" | "now">;
type OriginCtx = LinkCtx & Pick<OutsideCtx, "origin">;

const VALID_MS = 14 * DAY_MS;
const HEAD_BYTES = 1 + 2 * NUMBER_BYTES;

/** The link of a mail to the company's people; no other reader and no phone gets one. */
export async function openedBy(ctx: OriginCtx, due: DueNotification, language: Language): Promise<Values> {
  const { id, rule, channel, recipient, record_id: record } = due;
  if (recipient !== "company" || !variablesOf(rule, channel).includes("notice.link")) return {};
  const kind = KINDS.find((one) => one === ruleOf(rule)?.about) ?? "notice";
  const link = await linkTo(ctx, kind, kind === "notice" ? id : Number(record));
  return { "notice.link": pageOf(link, language) };
}

/** The address that opens one thing for who has it: for 14 days, unless another link says until when. */
export async function linkTo(ctx: OriginCtx, kind: LinkKind, id: number, expiresAt = ctx.now + VALID_MS) {
  const numbers = [id, Math.floor(expiresAt / 1_000)].flatMap((number) => [...bytesOf(number)]);
  const token = await signedToken(ctx, signed(ctx, Uint8Array.from([KINDS.indexOf(kind), ...numbers])));
  return `${ctx.origin}/n/${ctx.company.slug}/${token}`;
}

/** What a token opens, also after its time; 404 for one that is not signed for this company. */
export async function targetOf(ctx: LinkCtx, token: string): Promise<Target> {
  const head = headOf(token, HEAD_BYTES) ?? new Uint8Array(HEAD_BYTES);
  const kind = KINDS[head[0] ?? KINDS.length];
  if (kind === undefined || !(await isSigned(ctx, token, signed(ctx, head)))) throw new Problem("not_found");
  const id = numberIn(head.subarray(1, 1 + NUMBER_BYTES));
  const expiresAt = numberIn(head.subarray(1 + NUMBER_BYTES)) * 1_000;
  return { kind, id, expiresAt, isOpen: ctx.now < expiresAt };
}

function signed({ company }: LinkCtx, head: Uint8Array<ArrayBuffer>) {
  return { purpose: "notice link", text: `${company.id}:${toBase64Url(head)}`, head };
}
