import type {
  BackgroundCtx,
  CallCtx,
  Ctx,
  EncryptionCtx,
  OutsideCtx,
  ReadCtx,
  SystemWriteCtx,
  WriteCtx,
} from "#core/context.ts";
import { logFault } from "#core/log.ts";
import { retryDelay } from "#core/retry-delay.ts";
import { type Failure, failure, PLATFORM_MAILER, type SendResult } from "#providers/delivery";
import { type Attachment, type EmailSaid, sendByPlatform } from "#providers/email";
import { type Addressed, kindOf, type ProviderKind } from "#providers/messaging";
import type { Status } from "../messages/status.ts";
import { callbackUrl } from "../providers/callback-address.ts";
import { openConfig } from "../providers/configuration/secret-kinds.ts";
import { withUnsubscribing } from "../unsubscribe/mail.ts";
import {
  defer,
  EXPIRED,
  endFailedAttempt,
  leaveFormer,
  MOST_AGE_MS,
  markAccepted,
  markFailed,
  markRefused,
  pause,
  secondsUntil,
  UNKNOWN,
} from "./end-attempt.ts";
import { dispatchTask } from "./jobs.ts";
import { beginAsking, isFormer, type Leased, leaseRecipient } from "./lease.ts";
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
const UNREADABLE: SendResult = {
  kind: "refused",
  failure: failure("provider_auth", "The configuration of before cannot be decrypted"),
};
type Carrier = { deduplicates: boolean; send: () => Promise<SendResult> };

/**
 * Sends a message to one recipient, once; queues the next try if there is one. Returns false when its account has no
 * capacity, or the database cannot be reached. When a provider may have been asked and does not deduplicate, the
 * outcome stays unknown.
 */
export async function dispatchRecipient(ctx: Ctx, recipient: number, attach: Attach): Promise<boolean> {
  const lease = await leaseRecipient(ctx, recipient);
  if (lease === "not ours" || lease === "no capacity") return lease === "not ours";
  const { outcome, deduplicates } = await carry(ctx, lease, attach);
  switch (outcome.kind) {
    case "lost":
      break;
    case "held":
      await defer(ctx, lease);
      break;
    case "accepted":
      // Without an id no receipt can ever match the message, so its outcome stays unknown.
      if (outcome.id === null && lease.channel !== "email") await markRefused(ctx, lease, UNKNOWN);
      else return keepAccepted(ctx, lease, outcome.id);
      break;
    case "dead":
      await markFailed(ctx, lease, outcome.failure, outcome.status);
      break;
    case "refused":
      await refuse(ctx, lease, outcome.failure);
      break;
    default:
      await fail(ctx, lease, outcome, deduplicates);
  }
  return true;
}

/** Records what the provider accepted; if the database fails, a job records it later. Returns whether it did. */
async function keepAccepted(
  ctx: WriteCtx & BackgroundCtx,
  lease: Leased,
  id: string | null,
): Promise<boolean> {
  try {
    await markAccepted(ctx, lease, id);
    return true;
  } catch (error) {
    logFault("accepted_message", error);
    await ctx.enqueue([outcomeTask(lease, id)]);
    return false;
  }
}

/** Ends an attempt at which the provider failed, and queues when to look: for this recipient, and once it is asked again. */
async function fail(
  ctx: CallCtx & SystemWriteCtx & BackgroundCtx,
  lease: Leased,
  outcome: Extract<SendResult, { kind: "busy" | "unknown" }>,
  deduplicates: boolean,
): Promise<void> {
  const inDoubt = outcome.kind === "unknown";
  const seconds = retryDelay(lease.attempts + 1, Math.random(), outcome.retryAfter);
  const { again, restsUntil } = await endFailedAttempt(ctx, lease, {
    again: inDoubt && !deduplicates ? null : seconds,
    inDoubt,
    ...outcome,
  });
  const task = dispatchTask(lease.message_id);
  if (again !== null) await ctx.enqueue([task], again);
  if (restsUntil !== null) await ctx.enqueue([task], secondsUntil(ctx, restsUntil));
}

/**
 * A provider that refuses the credentials pauses, and its messages wait: they did nothing wrong. What a former provider
 * refuses goes through the active one, unless the platform's mailer carries it too.
 */
async function refuse(
  ctx: CallCtx & SystemWriteCtx & BackgroundCtx & OutsideCtx,
  lease: Leased,
  reason: Failure,
): Promise<void> {
  const { provider } = lease;
  if (isFormer(provider)) {
    if (ctx.services.mailer !== null) return markRefused(ctx, lease, reason);
    await leaveFormer(ctx, lease);
    return ctx.enqueue([dispatchTask(lease.message_id)]);
  }
  if (reason.code === "provider_auth" && provider !== null) return pause(ctx, lease, provider, reason);
  return markRefused(ctx, lease, reason);
}

async function carry(
  ctx: Ctx,
  lease: Leased,
  attach: Attach,
): Promise<{ outcome: Outcome; deduplicates: boolean }> {
  const expired = ctx.now - lease.since > MOST_AGE_MS;
  const carrier = expired ? undefined : await carrierOf(ctx, lease, attach);
  const deduplicates = carrier?.deduplicates === true;
  const ended = (outcome: Outcome) => ({ outcome, deduplicates });
  if (lease.in_doubt === 1 && !deduplicates) return ended({ kind: "dead", failure: UNKNOWN });
  if (expired) return ended({ kind: "dead", failure: EXPIRED });
  if (carrier === undefined)
    return ended({
      kind: "dead",
      failure: failure("provider_rejected", "The provider is no longer there"),
    });
  if (lease.provider?.paused_at != null) return ended({ kind: "held" });
  const asking = await beginAsking(ctx, lease);
  if (asking === "lost") return ended({ kind: "lost" });
  if (asking !== "now") return ended({ kind: "dead", failure: asking.failure, status: asking.status });
  return ended(await carrier.send());
}

async function carrierOf(ctx: Ctx, lease: Leased, attach: Attach): Promise<Carrier | undefined> {
  if (lease.content === null) return undefined;
  const to = { to: lease.address, reference: referenceOf(ctx, lease) };
  switch (lease.channel) {
    case "sms":
      return carrierBy(ctx, lease, kindOf("sms", lease.kind), { ...lease.content, ...to });
    case "chatapp":
      return carrierBy(ctx, lease, kindOf("chatapp", lease.kind), { content: lease.content, ...to });
    case "email": {
      const { calendarOf } = lease.content;
      const file = calendarOf === null ? null : await attach(ctx, calendarOf, lease.since);
      const said = await withUnsubscribing(ctx, lease.content, lease);
      const mail = { ...said, ...to, toName: lease.name, attachments: file === null ? [] : [file] };
      if (lease.provider === null && lease.kind === PLATFORM_MAILER)
        return {
          deduplicates: false,
          send: () => sendByPlatform(ctx.services, lease.company, { ...mail, callbackUrl: null }),
        };
      return carrierBy(ctx, lease, kindOf("email", lease.kind), mail);
    }
  }
}

async function carrierBy<Message extends Addressed>(
  ctx: ReadCtx & EncryptionCtx & OutsideCtx,
  { channel, kind: name, provider }: Leased,
  kind: ProviderKind<unknown, Message> | undefined,
  message: Omit<Message, "callbackUrl">,
): Promise<Carrier | undefined> {
  if (kind === undefined || provider === null) return undefined;
  const { operation, sealed_config, sealed_token } = provider;
  const opened = openConfig(ctx, operation, sealed_config);
  const config = await (isFormer(provider) ? opened.catch(() => null) : opened);
  if (config === null) return { deduplicates: true, send: async () => UNREADABLE };
  const unheard = kind.receive === undefined || ctx.origin === "" || sealed_token === undefined;
  const url = unheard ? null : await callbackUrl(ctx, { channel, kind: name, operation, sealed_token });
  return {
    deduplicates: kind.deduplicates,
    // The compiler cannot see that the omitted field is put back.
    send: () => kind.send(ctx.services, config, { ...message, callbackUrl: url } as Message),
  };
}

/** Our reference for one recipient's message; chat-app callbacks also find the company by it. */
function referenceOf(ctx: ReadCtx, { channel, message_id, ordinal }: Leased): string {
  if (channel === "chatapp") return `${ctx.company.id}:${message_id}`;
  return channel === "email" ? `${message_id}:${ordinal}` : message_id;
}
