import { API_VERSION } from "#shared/version.ts";

/** How this software names itself to whom it asks (RFC 9110, section 10.1.5). */
export const USER_AGENT = `CompanyOperations/${API_VERSION}`;

type Init = RequestInit & { headers?: Record<string, string> };

/**
 * Asks whatever is outside, by this software's name and version. A Worker's `fetch` sends no `User-Agent`, and Resend
 * answers 403 to a request without one: https://resend.com/docs/api-reference/introduction#user-agent
 */
export function askOutside(url: string | URL, { headers, ...init }: Init): Promise<Response> {
  return fetch(url, { ...init, headers: { "User-Agent": USER_AGENT, ...headers } });
}
