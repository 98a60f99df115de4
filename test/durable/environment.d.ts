/// <reference types="@cloudflare/vitest-plugin/types" />
import type { Env as WorkerEnv } from "../../src/env.ts";

declare global {
  namespace Cloudflare {
    interface Env
      extends Pick<
        WorkerEnv,
        "RATE_LIMITER" | "IDEMPOTENCY" | "SLOT_PACER" | "MESSAGING_QUOTA" | "COMPANY_CLOCK"
      > {}
  }
}
