import type { EncryptionCtx, OutsideCtx, ReadCtx } from "#core/context.ts";
import { lastFour } from "#shared/text/last-four.ts";
import type { Channel } from "../messages/channel.ts";
import { providerTokens } from "./configuration/secret-kinds.ts";

type Row = { channel: Channel; kind: string; operation: string; sealed_token: string };

/** The whole address that a provider calls back. All chat-apps share one address for all companies. */
export async function callbackUrl(
  ctx: ReadCtx & EncryptionCtx & OutsideCtx,
  row: Row,
  show = (token: string) => token,
): Promise<string> {
  const base = `${ctx.origin}/v1/webhooks`;
  if (row.channel === "chatapp") return `${base}/chatapp`;
  const token = await ctx.decrypt(providerTokens, row.operation, row.sealed_token);
  return `${base}/${row.channel}/${ctx.company.slug}/${row.kind}/${show(token)}`;
}

/** The address with nothing of its token. */
export function hiddenCallbackUrl(ctx: ReadCtx & OutsideCtx, row: Pick<Row, "channel" | "kind">): string {
  const base = `${ctx.origin}/v1/webhooks`;
  return row.channel === "chatapp"
    ? `${base}/chatapp`
    : `${base}/${row.channel}/${ctx.company.slug}/${row.kind}/...`;
}

/** The address as reads show it, without its token: a person who knows the token can forge callbacks. */
export function maskedCallbackUrl(ctx: ReadCtx & EncryptionCtx & OutsideCtx, row: Row): Promise<string> {
  return callbackUrl(ctx, row, (token) => `...${lastFour(token)}`);
}
