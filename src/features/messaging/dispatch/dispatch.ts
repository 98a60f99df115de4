import type { Ctx } from "#platform/context.ts";
import { type Outcome, PLATFORM_MAILER, refused } from "#providers/delivery";
import { sendByPlatform } from "#providers/email";
import { kindOf, type ProviderKind } from "#providers/messaging";
import { callbackUrl, openConfig } from "../settings/seals.ts";
import { retryDelay } from "./backoff.ts";
import { type Claimed, claimRecipient } from "./claim.ts";
import { markAccepted, markFailed, release, secondsUntil, UNKNOWN } from "./settle.ts";

/** What is older was overtaken by events: a code that has expired, a meeting that is over. */
const MOST_AGE_MS = 24 * 3_600_000;

type Carrier = { deduplicates: boolean; send: () => Promise<Outcome> };

/**
 * Sends a message to one recipient, once. Gives the seconds after which it is to be tried again, or undefined when there
 * is nothing left to do. Where a provider may have been asked and does not deduplicate, the outcome stays unknown.
 */
export async function dispatchRecipient(ctx: Ctx, recipient: number): Promise<number | undefined> {
  const claim = await claimRecipient(ctx, recipient);
  if (claim === "done") return undefined;
  if ("heldUntil" in claim) return secondsUntil(ctx, claim.heldUntil);
  const outcome = await carry(ctx, claim);
  if (outcome.kind === "accepted") await markAccepted(ctx, claim, outcome.id);
  else if (outcome.kind === "refused") await markFailed(ctx, claim, outcome.failure);
  else return tryAgain(ctx, claim, outcome);
  return undefined;
}

async function tryAgain(
  ctx: Ctx,
  claim: Claimed,
  outcome: Extract<Outcome, { kind: "busy" | "unknown" }>,
): Promise<number> {
  const retryAfter = outcome.kind === "busy" ? outcome.retryAfter : 0;
  const seconds = retryDelay(claim.attempts, Math.random(), retryAfter);
  await release(ctx, claim, seconds, outcome.kind === "unknown");
  return seconds;
}

async function carry(ctx: Ctx, claim: Claimed): Promise<Outcome> {
  const expired = ctx.now - claim.created_at > MOST_AGE_MS;
  const carrier = expired ? undefined : await carrierOf(ctx, claim);
  if (claim.in_doubt === 1 && carrier?.deduplicates !== true) return { kind: "refused", failure: UNKNOWN };
  if (expired) return refused("expired", "The message waited for more than 24 hours");
  if (carrier === undefined) return refused("provider_rejected", "The provider is no longer there");
  const outcome = await carrier.send();
  // An SMS that nobody can name may as well not have been taken.
  const nameless = outcome.kind === "accepted" && outcome.id === null && claim.channel !== "email";
  const lost = outcome.kind === "unknown" && !carrier.deduplicates;
  return nameless || lost ? { kind: "refused", failure: UNKNOWN } : outcome;
}

async function carrierOf(ctx: Ctx, claim: Claimed): Promise<Carrier | undefined> {
  const { channel, kind: name, provider, content } = claim;
  if (content === null) return undefined;
  const addressed = {
    ...content,
    to: claim.address,
    reference: referenceOf(ctx, claim),
    ...(channel === "email" ? { toName: claim.name } : {}),
    ...(channel === "chatapp" ? { content } : {}),
  };
  if (provider === null) {
    if (name !== PLATFORM_MAILER) return undefined;
    const mail = { ...addressed, callbackUrl: null } as never;
    return { deduplicates: false, send: () => sendByPlatform(ctx.services, claim.company, mail) };
  }
  const kind: ProviderKind<unknown, object> | undefined = kindOf(channel, name);
  if (kind === undefined) return undefined;
  const config = await openConfig(ctx, provider.operation, provider.sealed_config);
  const url =
    kind.receive === undefined || ctx.origin === ""
      ? null
      : await callbackUrl(ctx, { channel, kind: name, ...provider });
  return {
    deduplicates: kind.deduplicates,
    send: () => kind.send(ctx.services, config, { ...addressed, callbackUrl: url }),
  };
}

/** Our name for what one recipient gets; the chat-app's callbacks also find the company by it. */
function referenceOf(ctx: Ctx, { channel, message_id, ordinal }: Claimed): string {
  if (channel === "chatapp") return `${ctx.company.id}:${message_id}`;
  return channel === "email" ? `${message_id}:${ordinal}` : message_id;
}
