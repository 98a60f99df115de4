import { type Client, createClient } from "@libsql/client/http";
import { USER_AGENT } from "../outside-request.ts";

/** A database's address, ending in a slash or not, and the token that opens it. */
export type DatabaseAddress = { url: string; token: string };

/** How long one request to a database may take. */
export const ATTEMPT_MS = 8_000;

/** A client of one database whose requests end after so many milliseconds; for what is asked seldom or takes long. */
export function openClient({ url, token }: DatabaseAddress, timeoutMs: number): Client {
  return createClient({
    url: url.replace(/\/?$/, "/"),
    authToken: token,
    fetch: (request: Request) => {
      request.headers.set("User-Agent", USER_AGENT);
      return fetch(request, { signal: AbortSignal.timeout(timeoutMs) });
    },
  });
}
