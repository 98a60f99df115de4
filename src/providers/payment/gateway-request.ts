import { askOutside } from "#core/outside-request.ts";
import { parsed } from "#shared/json.ts";
import { textAt } from "../json.ts";
import { logBadAnswer, textOf } from "../message-request.ts";
import { GatewayError } from "./gateway.ts";

const TIMEOUT_MS = 8_000;
const MOST_BYTES = 1_048_576;
const MOST_REASON = 200;
// 409: the same request is still being worked at (Stripe: docs.stripe.com/api/errors; PayPal: PREVIOUS_REQUEST_IN_PROGRESS;
// Razorpay: razorpay.com/docs/api/refunds/normal-refunds-idempotent).
const PASSING = new Set([408, 409, 429]);

type Request = {
  method?: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
};

/**
 * Asks a gateway, and once more after a failure that may pass: no answer, 408, 409, 429, 5xx, or a 2xx without JSON. Gives
 * its JSON. Throws GatewayError.
 */
export async function ask(url: string, request: Request): Promise<unknown> {
  try {
    return await askOnce(url, request);
  } catch (error) {
    if (!(error instanceof GatewayError && error.retry)) throw error;
    return askOnce(url, request);
  }
}

/**
 * Asks a gateway to move money, and once more as `ask` does: both attempts bear the same idempotency key, so the money
 * moves once. Throws GatewayError, `retry` true unless the first attempt was refused.
 */
export async function askForMoney(url: string, request: Request): Promise<unknown> {
  try {
    return await askOnce(url, request);
  } catch (error) {
    if (!(error instanceof GatewayError && error.retry)) throw error;
  }
  return askOnce(url, request).catch((error: unknown) => {
    // The first attempt may have done its work, and this refusal be its echo.
    throw error instanceof GatewayError ? new GatewayError(error.message, true, error.reason) : error;
  });
}

async function askOnce(url: string, { method = "POST", headers, body }: Request): Promise<unknown> {
  const { status, text } = await exchange(url, { method, headers, ...(body === undefined ? {} : { body }) });
  const json = parsed(text);
  if (status >= 200 && status < 300 && json !== undefined) return json;
  const again = status >= 500 || PASSING.has(status) || (status < 300 && json === undefined);
  throw new GatewayError(`${new URL(url).pathname} answered ${status}`, again, reasonOf(json), status);
}

async function exchange(url: string, init: Request): Promise<{ status: number; text: string }> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await askOutside(url, { ...init, redirect: "manual", signal });
    logBadAnswer(url, response.status);
    return { status: response.status, text: await textOf(response, MOST_BYTES) };
  } catch (error) {
    throw new GatewayError(`${new URL(url).pathname} gave no answer: ${String(error)}`, true);
  }
}

/** Razorpay's code is BAD_REQUEST_ERROR for whatever it refuses, and some of Stripe's refusals have none: words say more. */
function reasonOf(json: unknown): string | undefined {
  const reason =
    textAt(json, "details", 0, "issue") ??
    textAt(json, "error", "description") ??
    textAt(json, "error", "code") ??
    textAt(json, "error", "message") ??
    textAt(json, "name") ??
    textAt(json, "error");
  return reason?.slice(0, MOST_REASON);
}
