import type {
  BackgroundCtx,
  CallCtx,
  Ctx,
  OutsideCtx,
  ReadCtx,
  SealCtx,
  WriteCtx,
} from "#platform/context.ts";
import { logFault } from "#platform/log.ts";
import { type Failure, PLATFORM_MAILER, refused, type SendResult } from "#providers/delivery";
import { sendByPlatform } from "#providers/email";
import { type Addressed, kindOf, type ProviderKind } from "#providers/messaging";
import { callbackUrl } from "../providers/callback-address.ts";
import { openConfig } from "../providers/configuration/seals.ts";
import { retryDelay } from "./backoff.ts";
import { beginAsking, type Claimed, claimRecipient } from "./claim.ts";
import {
  defer,
  EXPIRED,
  MOST_AGE_MS,
  markAccepted,
  markFailed,
  pause,
  release,
  secondsUntil,
  UNKNOWN,
} from "./end-attempt.ts";
import { outcomeTask } from "./record-outcome.ts";

// When to look after a recipient that was taken from this run.
const LOST_S = 60;

type Outcome = SendResult | { kind: "held" } | { kind: "lost" };
type Carrier = { deduplicates: boolean; send: () => Promise<SendResult> };

/**
 * Sends a message to one recipient, once. Gives the seconds after which it is to be tried again, or undefined when there
 * is nothing left to do. Where a provider may have been asked and does not deduplicate, the outcome stays unknown.
 */
export async function dispatchRecipient(ctx: Ctx, recipient: number): Promise<number | undefined> {
  const claim = await claimRecipient(ctx, recipient);
  if (claim === "done") return undefined;
  if ("heldUntil" in claim) return secondsUntil(ctx, claim.heldUntil);
  const outcome = await carry(ctx, claim);
  if (outcome.kind === "lost") return LOST_S;
  if (outcome.kind === "held") await defer(ctx, claim);
  else if (outcome.kind === "accepted") await keepAccepted(ctx, claim, outcome.id);
  else if (outcome.kind === "refused") await refuse(ctx, claim, outcome.failure);
  else return tryAgain(ctx, claim, outcome);
  return undefined;
}

/** Marks what the provider accepted; where the database cannot be told, a job of its own tells it later. */
async function keepAccepted(ctx: WriteCtx & BackgroundCtx, claim: Claimed, id: string | null): Promise<void> {
  try {
    await markAccepted(ctx, claim, id);
  } catch (error) {
    logFault("mark of an accepted message", error, ctx.requestId);
    await ctx.enqueue([outcomeTask(claim, id)]);
  }
}

async function tryAgain(
  ctx: CallCtx,
  claim: Claimed,
  outcome: Extract<SendResult, { kind: "busy" | "unknown" }>,
): Promise<number> {
  const seconds = retryDelay(claim.attempts + 1, Math.random(), outcome.retryAfter);
  await release(ctx, claim, seconds, outcome.kind === "unknown");
  return seconds;
}

/** A provider that refuses the credentials pauses, and its messages wait: they did nothing wrong. */
function refuse(ctx: CallCtx, claim: Claimed, reason: Failure): Promise<void> {
  const { provider } = claim;
  if (reason.code === "provider_auth" && provider !== null) return pause(ctx, claim, provider, reason);
  return markFailed(ctx, claim, reason);
}

async function carry(ctx: Ctx, claim: Claimed): Promise<Outcome> {
  const expired = ctx.now - claim.created_at > MOST_AGE_MS;
  const carrier = expired ? undefined : await carrierOf(ctx, claim);
  if (claim.in_doubt === 1 && carrier?.deduplicates !== true) return { kind: "refused", failure: UNKNOWN };
  if (expired) return { kind: "refused", failure: EXPIRED };
  if (carrier === undefined) return refused("provider_rejected", "The provider is no longer there");
  if (claim.provider !== null && claim.provider.paused_at !== null) return { kind: "held" };
  if (!(await beginAsking(ctx, claim))) return { kind: "lost" };
  const outcome = await carrier.send();
  // Without an id no receipt can ever match the message, so its outcome stays unknown.
  const nameless = outcome.kind === "accepted" && outcome.id === null && claim.channel !== "email";
  const lost = outcome.kind === "unknown" && !carrier.deduplicates;
  return nameless || lost ? { kind: "refused", failure: UNKNOWN } : outcome;
}

async function carrierOf(ctx: Ctx, claim: Claimed): Promise<Carrier | undefined> {
  if (claim.content === null) return undefined;
  const to = { to: claim.address, reference: referenceOf(ctx, claim) };
  switch (claim.channel) {
    case "sms":
      return carrierBy(ctx, claim, kindOf("sms", claim.kind), { ...claim.content, ...to });
    case "chatapp":
      return carrierBy(ctx, claim, kindOf("chatapp", claim.kind), { content: claim.content, ...to });
    case "email": {
      const mail = { ...claim.content, ...to, toName: claim.name };
      if (claim.provider === null && claim.kind === PLATFORM_MAILER)
        return {
          deduplicates: false,
          send: () => sendByPlatform(ctx.services, claim.company, { ...mail, callbackUrl: null }),
        };
      return carrierBy(ctx, claim, kindOf("email", claim.kind), mail);
    }
  }
}

async function carrierBy<Message extends Addressed>(
  ctx: ReadCtx & SealCtx & OutsideCtx,
  { channel, kind: name, provider }: Claimed,
  kind: ProviderKind<unknown, Message> | undefined,
  message: Omit<Message, "callbackUrl">,
): Promise<Carrier | undefined> {
  if (kind === undefined || provider === null) return undefined;
  const config = await openConfig(ctx, provider.operation, provider.sealed_config);
  const unheard = kind.receive === undefined || ctx.origin === "";
  const url = unheard ? null : await callbackUrl(ctx, { channel, kind: name, ...provider });
  return {
    deduplicates: kind.deduplicates,
    // The compiler cannot see that the omitted field is put back.
    send: () => kind.send(ctx.services, config, { ...message, callbackUrl: url } as Message),
  };
}

/** Our reference for one recipient's message; chat-app callbacks also find the company by it. */
function referenceOf(ctx: ReadCtx, { channel, message_id, ordinal }: Claimed): string {
  if (channel === "chatapp") return `${ctx.company.id}:${message_id}`;
  return channel === "email" ? `${message_id}:${ordinal}` : message_id;
}
