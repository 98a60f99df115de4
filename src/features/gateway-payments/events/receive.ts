import type { Ctx, EncryptionCtx, OutsideCtx, ReadCtx } from "#core/context.ts";
import { logFault } from "#core/log.ts";
import { sha256Hex } from "#core/secrets/hash.ts";
import { nextCall } from "#core/write/next-call.ts";
import { type Delivery, GATEWAYS, GatewayError, isYoung, logForm } from "#providers/payment";
import { GATEWAY_KINDS, type GatewayKind } from "#shared/payments/gateways.ts";
import { Problem } from "#shared/problem.ts";
import { retryLater } from "#shared/retry.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { accountsOf } from "../gateways/accounts.ts";
import { openAccount, webhookSecretsOf } from "../gateways/secret-kinds.ts";
import type { EffectsByKind } from "../intents/effects.ts";
import { applyEvent } from "./apply-event.ts";
import type { PaymentEvent, RefundEvent } from "./find-intent.ts";

const MOST_ID = 200;

/**
 * Acts on a gateway's event; `applyRefund` on one of a refund. Throws 404 for a gateway that the company has no account of, active or used, 400
 * `invalid_signature` for what the gateway did not send, and 503 where it is to send it again.
 */
export async function receiveEvent(
  ctx: Ctx,
  effects: EffectsByKind,
  applyRefund: (ctx: Ctx, event: RefundEvent) => Promise<boolean>,
  kind: string,
  delivery: Delivery,
): Promise<{ success: true; duplicate?: true }> {
  const gateway = GATEWAY_KINDS.find((name) => name === kind);
  if (gateway === undefined) throw unknownGateway();
  const senders = await sendersOf(ctx, gateway, delivery);
  const event = parsed(delivery.body);
  const { forms, typeOf } = GATEWAYS[gateway];
  logForm(gateway, forms, typeOf(event), event);
  const payloadSha256 = await sha256Hex(delivery.body);
  const { id, occurredAt, report, refunds } = await GATEWAYS[gateway]
    .read(senders[0].account, event, delivery)
    .catch((error: unknown) => {
      logFault("gateway", error, gateway);
      return asUnavailable(error);
    });
  const eventId = id === "" || id.length > MOST_ID ? payloadSha256 : id;
  const said = { gateway, eventId, payloadSha256 };
  const [first, ...others] = senders;
  const accountIds: RefundEvent["accountIds"] = [
    first.accountId,
    ...others.map(({ accountId }) => accountId),
  ];
  let duplicate =
    refunds.length > 0 ||
    (await applyEvent(ctx, effects, { ...said, senders, isYoung: isYoung(occurredAt, delivery), report }));
  for (const refund of refunds) {
    const own = refunds.length === 1 ? eventId : `${eventId}:${refund.gatewayRefundId}`;
    const call = nextCall(ctx, ctx.call.name, own);
    const isSeen = await applyRefund(call, { ...said, eventId: own, accountIds, report: refund });
    duplicate &&= isSeen;
  }
  return duplicate ? { success: true, duplicate } : { success: true };
}

/** The accounts that the event is signed for, found before anything of the event is read. */
async function sendersOf(
  ctx: ReadCtx & EncryptionCtx & OutsideCtx,
  gateway: GatewayKind,
  delivery: Delivery,
): Promise<PaymentEvent["senders"]> {
  const [rows] = await ctx.database.read([accountsOf(ctx, gateway)]);
  if (rows.length === 0) throw unknownGateway();
  const judged = await Promise.allSettled(
    rows.map(async (row) => {
      const [account, secrets] = await Promise.all([openAccount(ctx, row), webhookSecretsOf(ctx, row)]);
      const verified = await GATEWAYS[gateway].verify(account, secrets, delivery);
      return verified ? [{ account, accountId: row.id }] : [];
    }),
  );
  const [first, ...others] = judged.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  if (first !== undefined) return [first, ...others];
  for (const one of judged) if (one.status === "rejected") asUnavailable(one.reason);
  throw new Problem("invalid_signature");
}

function unknownGateway(): Problem {
  return new Problem("not_found", { message: "The company has no such payment gateway" });
}

/** The event is signed, so another try would bring the same bytes: one that is not JSON is stored and ignored. */
function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

function asUnavailable(error: unknown): never {
  if (!(error instanceof GatewayError)) throw error;
  throw retryLater("unavailable", MINUTE_MS);
}
