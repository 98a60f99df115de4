import type { ServiceVariables } from "#api/services.ts";
import type { Job } from "#core/jobs.ts";
import { logFault } from "#core/log.ts";
import type { CompanyClock, DueJob, IdempotencyGate, MessagingQuota, RateLimiter, SlotPacer } from "#durable";
import type { PingJob } from "#tenancy/heartbeats.ts";
import type { ProvisionerVariables } from "#tenancy/provision/provider-api.ts";

/** What the Worker is given: bindings of wrangler.toml, variables, and secrets. */
export type Env = ServiceVariables &
  ProvisionerVariables & {
    RATE_LIMITER: DurableObjectNamespace<RateLimiter>;
    IDEMPOTENCY: DurableObjectNamespace<IdempotencyGate>;
    SLOT_PACER: DurableObjectNamespace<SlotPacer>;
    MESSAGING_QUOTA: DurableObjectNamespace<MessagingQuota>;
    COMPANY_CLOCK: DurableObjectNamespace<CompanyClock>;
    /** Messages to send. */
    MESSAGES: Queue<Job>;
    /** What else is done outside requests, each hour or as the clock asks for it; no message waits behind it. */
    HOUSEKEEPING: Queue<Job>;
    /** Events to send to the endpoints of companies; a slow receiver holds up no message. */
    DELIVERIES: Queue<Job>;
    /** What the companies' clocks ask for: a look what is due. */
    CLOCK: Queue<DueJob | PingJob>;
    /** Messages that companies have asked to be sent when something happens; no look waits behind one. */
    NOTIFICATIONS: Queue<Job>;
    /** Resumes and the attachments of leads. */
    FILES: R2Bucket;
    /** The API document and the reference page, built before the Worker is. */
    ASSETS?: Fetcher;
    /** Address and token of the control database. */
    CONTROL_DATABASE_URL: string;
    CONTROL_DATABASE_TOKEN: string;
    /** 32 random bytes in base64: encrypts provider credentials and signs cursors. */
    MASTER_KEY: string;
    /** Where it is set, cursors and encrypted values made with it are still accepted. */
    PREVIOUS_MASTER_KEY?: string;
    /** Where it is unset, the platform operations answer 404. */
    PLATFORM_TOKEN?: string;
    /** Where it is set, the operator may still use it. */
    PREVIOUS_PLATFORM_TOKEN?: string;
    /** Of the platform's chat-app: what its callbacks are verified and signed with. */
    CHATAPP_VERIFY_TOKEN?: string;
    CHATAPP_APP_SECRET?: string;
    /**
     * Set on a developer's machine and in tests only: clock offsets are read, and a reply off its schema throws. Where it
     * is an address, the reference page gets the demo company from there.
     */
    SANDBOX?: string;
    /** `off` silences the line per request. */
    LOG?: string;
    /** `off` has each catalogue read ask the database. */
    KEPT_ANSWERS?: string;
  };

type Requirement = { name: keyof Env; what: string; holds: (value: unknown) => boolean };

const masterKey = { what: "32 random bytes in base64", holds: isMasterKey };
const binding = { what: "a binding of wrangler.toml", holds: isBinding };

/** Without these nothing can be served. */
const ESSENTIAL: readonly Requirement[] = [
  {
    name: "CONTROL_DATABASE_URL",
    what: "an address that begins with https:, http: or libsql:",
    holds: isAddress,
  },
  { name: "MASTER_KEY", ...masterKey },
  { name: "PREVIOUS_MASTER_KEY", ...optional(masterKey) },
];

/** Without one of these, what needs it fails and the rest is served. */
const USEFUL: readonly Requirement[] = [
  { name: "CONTROL_DATABASE_TOKEN", what: "a token", holds: isText },
  { name: "RATE_LIMITER", ...binding },
  { name: "IDEMPOTENCY", ...binding },
  { name: "SLOT_PACER", ...binding },
  { name: "MESSAGING_QUOTA", ...binding },
  { name: "COMPANY_CLOCK", ...binding },
  { name: "MESSAGES", ...binding },
  { name: "HOUSEKEEPING", ...binding },
  { name: "DELIVERIES", ...binding },
  { name: "CLOCK", ...binding },
  { name: "NOTIFICATIONS", ...binding },
  { name: "FILES", ...binding },
  {
    name: "DATABASE_PROVIDER",
    what: "sqld or turso",
    holds: (value) => value === "sqld" || value === "turso",
  },
  { name: "PUBLIC_ORIGIN", what: "a scheme and a host, such as https://api.example.com", holds: isOrigin },
];

/** What is wrong with an environment, in words without any value of it; and whether anything can be served with it. */
export function judgeEnvironment(env: Env): { faults: string[]; usable: boolean } {
  const missing = ESSENTIAL.filter(({ name, holds }) => !holds(env[name]));
  const faulty = [...missing, ...USEFUL.filter(({ name, holds }) => !holds(env[name]))];
  const faults = faulty.map(({ name, what }) => {
    const state = env[name] === undefined ? "is missing" : "is malformed";
    return `${name} ${state}: it must be ${what}`;
  });
  return { faults, usable: missing.length === 0 };
}

// An isolate is given one and the same environment with every call.
const judged = new WeakMap<Env, boolean>();

/** Whether anything can be served; judged at the first call of the isolate, when each fault is logged. */
export function isUsable(env: Env): boolean {
  const known = judged.get(env);
  if (known !== undefined) return known;
  const { faults, usable } = judgeEnvironment(env);
  for (const fault of faults) logFault("environment", fault);
  judged.set(env, usable);
  return usable;
}

function optional({ what, holds }: Omit<Requirement, "name">): Omit<Requirement, "name"> {
  return { what, holds: (value) => value === undefined || holds(value) };
}

function isBinding(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isAddress(value: unknown): boolean {
  return isText(value) && /^(?:https?|libsql):$/.test(URL.parse(value)?.protocol ?? "");
}

function isOrigin(value: unknown): boolean {
  return isText(value) && URL.parse(value)?.origin === value;
}

function isMasterKey(value: unknown): boolean {
  try {
    return isText(value) && atob(value).length >= 32;
  } catch {
    return false;
  }
}
