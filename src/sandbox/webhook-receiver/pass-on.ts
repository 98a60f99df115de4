import type { Arrival } from "./receiver.ts";

const HEADERS = ["content-type", "user-agent", "webhook-id", "webhook-timestamp", "webhook-signature"];
const TIMEOUT_MS = 20_000;
const NOT_ANSWERED = 502;

/**
 * Passes a request on where its receiver's name is a port of this machine, and gives the status that it was answered: 502
 * where no server answers there. Undefined for any other name.
 */
export async function passOn({
  name,
  headers,
  body,
}: Pick<Arrival, "name" | "headers" | "body">): Promise<number | undefined> {
  if (!/^\d+$/.test(name)) return undefined;
  const passed = HEADERS.map((header) => [header, String(headers[header] ?? "")] as const);
  try {
    const { status } = await fetch(`http://127.0.0.1:${name}/`, {
      method: "POST",
      headers: Object.fromEntries(passed.filter(([, value]) => value !== "")),
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return status;
  } catch {
    return NOT_ANSWERED;
  }
}
