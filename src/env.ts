import type { ProvisionerVariables } from "#control/provision/provisioner.ts";
import type { IdempotencyGate, MessagingQuota, RateLimiter, SlotPacer } from "#durable";
import type { Job } from "#platform/jobs.ts";
import type { ServiceVariables } from "./http/services.ts";

/** What the Worker is given: bindings of wrangler.toml, variables, and secrets. */
export type Env = ServiceVariables &
  ProvisionerVariables & {
    RATE_LIMITER: DurableObjectNamespace<RateLimiter>;
    IDEMPOTENCY: DurableObjectNamespace<IdempotencyGate>;
    SLOT_PACER: DurableObjectNamespace<SlotPacer>;
    MESSAGING_QUOTA: DurableObjectNamespace<MessagingQuota>;
    /** Work outside requests: messages to send, housekeeping. */
    JOBS: Queue<Job>;
    /** Resumes and the attachments of leads. */
    FILES: R2Bucket;
    /** The API document and the reference page, built before the Worker is. */
    ASSETS?: Fetcher;
    /** Address and token of the control database. */
    CONTROL_DATABASE_URL: string;
    CONTROL_DATABASE_TOKEN: string;
    /** 32 random bytes in base64: seals provider credentials and signs cursors. */
    MASTER_KEY: string;
    /** Where it is set, cursors and sealed values made with it are still accepted. */
    PREVIOUS_MASTER_KEY?: string;
    /** Where it is unset, the platform operations answer 404. */
    PLATFORM_TOKEN?: string;
    /** Scheme and host of the addresses that are handed out, such as an invoice's page; else that of the request. */
    PUBLIC_ORIGIN?: string;
    /** Of the platform's chat-app: what its callbacks are verified and signed with. */
    CHATAPP_VERIFY_TOKEN?: string;
    CHATAPP_APP_SECRET?: string;
    /**
     * Set on a developer's machine and in tests only: clock offsets are read, and a reply off its schema throws. Where it
     * is an address, the reference page is told the demo company there.
     */
    SANDBOX?: string;
    /** `off` silences the line per request. */
    LOG?: string;
  };
