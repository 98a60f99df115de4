import * as z from "zod";
import { logFault } from "#core/log.ts";
import { askOutside } from "#core/outside-request.ts";
import type { Services } from "#core/services.ts";

const TURNSTILE = "https://challenges.cloudflare.com";
const PATIENCE_MS = 5_000;
const Verdict = z.object({ success: z.boolean() });

/** What Turnstile says of the token of a visitor; `unknown` where it cannot be asked. */
export async function judgeVisitor(
  services: Services,
  secret: string,
  token: string,
): Promise<"human" | "machine" | "unknown"> {
  try {
    const response = await askOutside(
      `${services.addressOf("turnstile", TURNSTILE)}/turnstile/v0/siteverify`,
      {
        method: "POST",
        body: new URLSearchParams({ secret, response: token }),
        redirect: "manual",
        signal: AbortSignal.timeout(PATIENCE_MS),
      },
    );
    return Verdict.parse(await response.json()).success ? "human" : "machine";
  } catch (error) {
    logFault("captcha", error);
    return "unknown";
  }
}
