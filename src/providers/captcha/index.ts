import * as z from "zod";
import { logFault } from "#platform/log.ts";
import type { Services } from "#platform/services.ts";

const TURNSTILE = "https://challenges.cloudflare.com";
const PATIENCE_MS = 5_000;
const Verdict = z.object({ success: z.boolean() });

/**
 * Asks Turnstile whether a visitor solved its puzzle. When it cannot be asked the visitor is believed: a lead that is
 * lost is worse than one that a machine made.
 */
export async function isHuman(services: Services, secret: string, token: string): Promise<boolean> {
  try {
    const response = await fetch(`${services.addressOf("turnstile", TURNSTILE)}/turnstile/v0/siteverify`, {
      method: "POST",
      body: new URLSearchParams({ secret, response: token }),
      redirect: "manual",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return Verdict.parse(await response.json()).success;
  } catch (error) {
    logFault("captcha", error);
    return true;
  }
}
