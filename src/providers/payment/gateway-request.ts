import { at, parsed, textAt } from "../json.ts";
import { textOf } from "../message-request.ts";
import { GatewayError } from "./gateway.ts";

const TIMEOUT_MS = 8_000;
const MOST_BYTES = 1_048_576;

type Request = {
  method?: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
};

/**
 * Asks a gateway, and once more after a failure that may pass: no answer, 408, 429, 5xx, or a 2xx without JSON. Gives its
 * JSON. Throws GatewayError.
 */
export async function ask(url: string, request: Request): Promise<unknown> {
  try {
    return await askOnce(url, request);
  } catch (error) {
    if (!(error instanceof GatewayError && error.retry)) throw error;
    return askOnce(url, request);
  }
}

async function askOnce(url: string, { method = "POST", headers, body }: Request): Promise<unknown> {
  const { status, text } = await exchange(url, { method, headers, ...(body === undefined ? {} : { body }) });
  const json = parsed(text);
  if (status >= 200 && status < 300 && json !== undefined) return json;
  const again = status >= 500 || status === 429 || status === 408 || (status < 300 && json === undefined);
  throw new GatewayError(`${new URL(url).pathname} answered ${status}`, again, reasonOf(json));
}

async function exchange(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { ...init, redirect: "manual", signal });
    return { status: response.status, text: await textOf(response, MOST_BYTES) };
  } catch (error) {
    throw new GatewayError(`${new URL(url).pathname} gave no answer: ${String(error)}`, true);
  }
}

function reasonOf(json: unknown): string | undefined {
  return (
    textAt(json, "details", 0, "issue") ??
    textAt(json, "error", "code") ??
    textAt(json, "name") ??
    (typeof at(json, "error") === "string" ? String(at(json, "error")) : undefined)
  );
}
