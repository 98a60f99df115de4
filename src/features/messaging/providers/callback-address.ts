import type { OutsideCtx, ReadCtx, SealCtx } from "#platform/context.ts";
import { lastFour } from "#shared/text/last-four.ts";
import type { Channel } from "../messages/tables.ts";
import { openToken } from "./seals.ts";

type Row = { channel: Channel; kind: string; operation: string; sealed_token: string };

/** The whole address that a provider calls back. All chat-apps share one address for all companies. */
export async function callbackUrl(ctx: ReadCtx & SealCtx & OutsideCtx, row: Row): Promise<string> {
  return addressOf(ctx, row, (token) => token);
}

/** The address as reads show it, without its token: whoever knows the token can forge callbacks. */
export async function maskedCallbackUrl(ctx: ReadCtx & SealCtx & OutsideCtx, row: Row): Promise<string> {
  return addressOf(ctx, row, (token) => `...${lastFour(token)}`);
}

async function addressOf(
  ctx: ReadCtx & SealCtx & OutsideCtx,
  row: Row,
  show: (token: string) => string,
): Promise<string> {
  const base = `${ctx.origin}/v1/webhooks`;
  if (row.channel === "chatapp") return `${base}/chatapp`;
  const token = await openToken(ctx, row.operation, row.sealed_token);
  return `${base}/${row.channel}/${ctx.company.slug}/${row.kind}/${show(token)}`;
}
