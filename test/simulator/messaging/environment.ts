import type { Env } from "../../../src/env.ts";
import type { AnyJob } from "../../../src/wiring/jobs.ts";
import type { ServiceAddress } from "../../support/http.ts";
import { bindingsFor } from "../../support/service.ts";

export const PROVIDERS = "http://providers.invalid";

/** The Worker's environment before the service's databases: what is queued goes to `enqueue`. */
export function environmentBefore(
  { libsqlUrl: url, libsqlAdminUrl: adminUrl, libsqlToken: token }: ServiceAddress,
  mailer: Env["EMAIL"] | undefined,
  enqueue: (messages: { body: AnyJob; delaySeconds?: number }[]) => void,
): Env {
  const queue = { sendBatch: async (messages: Parameters<typeof enqueue>[0]) => enqueue(messages) };
  return {
    ...bindingsFor({ url, adminUrl, token }),
    ...(mailer === undefined
      ? { MESSAGING_API_BASE: PROVIDERS }
      : { EMAIL: mailer, PLATFORM_MAIL_FROM: "no-reply@platform.example" }),
    PUBLIC_ORIGIN: "https://api.example.com",
    // The hourly jobs sweep files too; there are none.
    FILES: { list: async () => ({ objects: [], truncated: false }) },
    MESSAGES: queue,
    HOUSEKEEPING: queue,
  } as unknown as Env;
}
