import type { HmacCtx, OutsideCtx, ReadCtx } from "#core/context.ts";
import { bytesOf, headOf, isSigned, numberIn, signedToken } from "#core/secrets/token.ts";
import { Problem } from "#shared/problem.ts";
import { toBase64Url } from "#shared/text/base64url.ts";
import { DAY_MS } from "#shared/time/durations.ts";

/** What a link of a mail opens; the token has its place, so that a new kind comes last. */
const KINDS = ["notice", "lead", "application", "order"] as const;
export type LinkKind = (typeof KINDS)[number];
/** One thing of the company, and until when its link opens it. */
export type Target = { kind: LinkKind; id: number; expiresAt: number };
type LinkCtx = Pick<ReadCtx & OutsideCtx & HmacCtx, "company" | "hmacs" | "now">;

const VALID_MS = 14 * DAY_MS;
const NUMBER_BYTES = 6;
const HEAD_BYTES = 1 + 2 * NUMBER_BYTES;

/** The address that opens one thing for who has it: for 14 days, unless another link says until when. */
export async function linkTo(
  ctx: LinkCtx & Pick<OutsideCtx, "origin">,
  { kind, id, expiresAt = ctx.now + VALID_MS }: Omit<Target, "expiresAt"> & Partial<Target>,
): Promise<string> {
  const numbers = [id, Math.floor(expiresAt / 1_000)].map((number) => [number, NUMBER_BYTES] as const);
  const token = await signedToken(ctx, signed(ctx, bytesOf([KINDS.indexOf(kind), 1], ...numbers)));
  return `${ctx.origin}/n/${ctx.company.slug}/${token}`;
}

/** What a token opens, also after its time; 404 for one that is not signed for this company. */
export async function targetOf(ctx: LinkCtx, token: string): Promise<Target> {
  const head = headOf(token, HEAD_BYTES) ?? new Uint8Array(HEAD_BYTES);
  const kind = KINDS[head[0] ?? KINDS.length];
  if (kind === undefined || !(await isSigned(ctx, token, signed(ctx, head)))) throw new Problem("not_found");
  const id = numberIn(head.subarray(1, 1 + NUMBER_BYTES));
  return { kind, id, expiresAt: numberIn(head.subarray(1 + NUMBER_BYTES)) * 1_000 };
}

function signed({ company }: LinkCtx, head: Uint8Array<ArrayBuffer>) {
  return { purpose: "notice link", text: `${company.id}:${toBase64Url(head)}`, head };
}
