import type {
  BackgroundCtx,
  CallCtx,
  Ctx,
  OutsideCtx,
  ReadCtx,
  SealCtx,
  UnattendedCtx,
  WriteCtx,
} from "#platform/context.ts";
import { logFault } from "#platform/log.ts";
import { retryDelay } from "#platform/retry-delay.ts";
import { type Failure, failure, PLATFORM_MAILER, type SendResult } from "#providers/delivery";
import { type Attachment, type EmailSaid, sendByPlatform } from "#providers/email";
import { type Addressed, kindOf, type ProviderKind } from "#providers/messaging";
import type { Status } from "../messages/tables.ts";
import { callbackUrl } from "../providers/callback-address.ts";
import { openConfig } from "../providers/configuration/seals.ts";
import { withUnsubscribing } from "../unsubscribe/mail.ts";
import { beginAsking, type Claimed, claimRecipient } from "./claim.ts";
import {
  defer,
  EXPIRED,
  endFailedAttempt,
  MOST_AGE_MS,
  markAccepted,
  markFailed,
  markRefused,
  pause,
  secondsUntil,
  UNKNOWN,
} from "./end-attempt.ts";
import { dispatchTask } from "./jobs.ts";
import { outcomeTask } from "./record-outcome.ts";

type Outcome =
  | SendResult
  /** It waits: its provider is paused, or another run has it. */
  | { kind: "held" | "lost" }
  /** It was not asked for, and never will be. */
  | { kind: "dead"; failure: Failure; status?: Status };
/**
 * Makes the file that an e-mail carries, as of when it was accepted: so it is the same at each attempt, unless what it
 * shows has changed. Null where there is nothing to show any more.
 */
export type Attach = (
  ctx: Ctx,
  of: NonNullable<EmailSaid["calendarOf"]>,
  acceptedAt: number,
) => Promise<Attachment | null>;
type Carrier = { deduplicates: boolean; send: () => Promise<SendResult> };

/**
 * Sends a message to one recipient, once; queues when to look again where it is to be tried again. Gives false where its
 * account has no room, or the database cannot be told. Where a provider may have been asked and does not deduplicate, the outcome stays unknown.
 */
export async function dispatchRecipient(ctx: Ctx, recipient: number, attach: Attach): Promise<boolean> {
  const claim = await claimRecipient(ctx, recipient);
  if (claim === "not ours" || claim === "no room") return claim === "not ours";
  const { outcome, deduplicates } = await carry(ctx, claim, attach);
  switch (outcome.kind) {
    case "lost":
      break;
    case "held":
      await defer(ctx, claim);
      break;
    case "accepted":
      // Without an id no receipt can ever match the message, so its outcome stays unknown.
      if (outcome.id === null && claim.channel !== "email") await markRefused(ctx, claim, UNKNOWN);
      else return keepAccepted(ctx, claim, outcome.id);
      break;
    case "dead":
      await markFailed(ctx, claim, outcome.failure, outcome.status);
      break;
    case "refused":
      await refuse(ctx, claim, outcome.failure);
      break;
    default:
      await fail(ctx, claim, outcome, deduplicates);
  }
  return true;
}

/** Marks what the provider accepted; where the database cannot be told, a job of its own tells it later. Gives whether it was told. */
async function keepAccepted(
  ctx: WriteCtx & BackgroundCtx,
  claim: Claimed,
  id: string | null,
): Promise<boolean> {
  try {
    await markAccepted(ctx, claim, id);
    return true;
  } catch (error) {
    logFault("mark of an accepted message", error, ctx.requestId);
    await ctx.enqueue([outcomeTask(claim, id)]);
    return false;
  }
}

/** Ends an attempt at which the provider failed, and queues when to look: for this recipient, and once it is asked again. */
async function fail(
  ctx: CallCtx & UnattendedCtx & BackgroundCtx,
  claim: Claimed,
  outcome: Extract<SendResult, { kind: "busy" | "unknown" }>,
  deduplicates: boolean,
): Promise<void> {
  const inDoubt = outcome.kind === "unknown";
  const seconds = retryDelay(claim.attempts + 1, Math.random(), outcome.retryAfter);
  const { again, restsUntil } = await endFailedAttempt(ctx, claim, {
    again: inDoubt && !deduplicates ? null : seconds,
    inDoubt,
    retryAfter: outcome.retryAfter,
  });
  const task = dispatchTask(claim.message_id);
  if (again !== null) await ctx.enqueue([task], again);
  if (restsUntil !== null) await ctx.enqueue([task], secondsUntil(ctx, restsUntil));
}

/** A provider that refuses the credentials pauses, and its messages wait: they did nothing wrong. */
function refuse(ctx: CallCtx & UnattendedCtx, claim: Claimed, reason: Failure): Promise<void> {
  const { provider } = claim;
  if (reason.code === "provider_auth" && provider !== null) return pause(ctx, claim, provider, reason);
  return markRefused(ctx, claim, reason);
}

async function carry(
  ctx: Ctx,
  claim: Claimed,
  attach: Attach,
): Promise<{ outcome: Outcome; deduplicates: boolean }> {
  const expired = ctx.now - claim.since > MOST_AGE_MS;
  const carrier = expired ? undefined : await carrierOf(ctx, claim, attach);
  const deduplicates = carrier?.deduplicates === true;
  const ended = (outcome: Outcome) => ({ outcome, deduplicates });
  if (claim.in_doubt === 1 && !deduplicates) return ended({ kind: "dead", failure: UNKNOWN });
  if (expired) return ended({ kind: "dead", failure: EXPIRED });
  if (carrier === undefined)
    return ended({
      kind: "dead",
      failure: failure("provider_rejected", "The provider is no longer there"),
    });
  if (claim.provider !== null && claim.provider.paused_at !== null) return ended({ kind: "held" });
  const asking = await beginAsking(ctx, claim);
  if (asking === "lost") return ended({ kind: "lost" });
  if (asking !== "now") return ended({ kind: "dead", failure: asking.failure, status: asking.status });
  return ended(await carrier.send());
}

async function carrierOf(ctx: Ctx, claim: Claimed, attach: Attach): Promise<Carrier | undefined> {
  if (claim.content === null) return undefined;
  const to = { to: claim.address, reference: referenceOf(ctx, claim) };
  switch (claim.channel) {
    case "sms":
      return carrierBy(ctx, claim, kindOf("sms", claim.kind), { ...claim.content, ...to });
    case "chatapp":
      return carrierBy(ctx, claim, kindOf("chatapp", claim.kind), { content: claim.content, ...to });
    case "email": {
      const { calendarOf } = claim.content;
      const file = calendarOf === null ? null : await attach(ctx, calendarOf, claim.since);
      const said = await withUnsubscribing(ctx, claim.content, claim);
      const mail = { ...said, ...to, toName: claim.name, attachments: file === null ? [] : [file] };
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
