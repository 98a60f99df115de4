import type { Ctx } from "#platform/context.ts";

/** Seals a provider's configuration. It opens only in the row that `operation` names. */
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

export function openToken(ctx: Ctx, operation: string, sealed: string): Promise<string> {
  return ctx.open(`token of messaging provider ${operation}`, sealed);
}
