import type { EncryptionCtx, OutsideCtx, ReadCtx } from "#core/context.ts";
import type { Channel } from "../messages/channel.ts";
import { providerTokens } from "./configuration/secret-kinds.ts";

type Row = { channel: Channel; kind: string; operation: string; sealed_token: string };

/** The whole address that a provider calls back. All chat-apps share one address for all companies. */
export async function callbackUrl(
  ctx: ReadCtx & EncryptionCtx & OutsideCtx,
  row: Row,
  show = (token: string) => token,
): Promise<string> {
  if (row.channel === "chatapp") return hiddenCallbackUrl(ctx, row);
  const token = await ctx.decrypt(providerTokens, row.operation, row.sealed_token);
  return hiddenCallbackUrl(ctx, row, show(token));
}

/** The address with this in the place of its token. */
export function hiddenCallbackUrl(
  ctx: ReadCtx & OutsideCtx,
  row: Pick<Row, "channel" | "kind">,
  token = "...",
): string {
  const base = `${ctx.origin}/v1/webhooks/${row.channel}`;
  return row.channel === "chatapp" ? base : `${base}/${ctx.company.slug}/${row.kind}/${token}`;
}
