import type { Ctx } from "#platform/context.ts";
import { lastFour } from "#shared/last-four.ts";
import type { Channel } from "../tables.ts";

/** Seals a provider's configuration; `operation` names its row, in no other does it open. */
export function sealConfig(ctx: Ctx, operation: string, config: unknown): Promise<string> {
  return ctx.seal(`config of messaging provider ${operation}`, JSON.stringify(config));
}

export async function openConfig(ctx: Ctx, operation: string, sealed: string): Promise<unknown> {
  return JSON.parse(await ctx.open(`config of messaging provider ${operation}`, sealed));
}

/** Seals the token that alone lets a provider call back. */
export function sealToken(ctx: Ctx, operation: string, token: string): Promise<string> {
  return ctx.seal(`token of messaging provider ${operation}`, token);
}

type Row = { channel: Channel; kind: string; operation: string; sealed_token: string };

/** Where a provider tells of its messages, the whole address. Chat-apps have one for all companies. */
export async function callbackUrl(ctx: Ctx, row: Row): Promise<string> {
  return addressOf(ctx, row, (token) => token);
}

/** The same for readers: whoever knows the token can forge what the provider tells. */
export async function maskedCallbackUrl(ctx: Ctx, row: Row): Promise<string> {
  return addressOf(ctx, row, (token) => `...${lastFour(token)}`);
}

async function addressOf(ctx: Ctx, row: Row, show: (token: string) => string): Promise<string> {
  const base = `${ctx.origin}/v1/webhooks`;
  if (row.channel === "chatapp") return `${base}/chatapp`;
  const token = await ctx.open(`token of messaging provider ${row.operation}`, row.sealed_token);
  return `${base}/${row.channel}/${ctx.company.slug}/${row.kind}/${show(token)}`;
}
