import { scheduleClock } from "#core/clock.ts";
import type { Call, Ctx } from "#core/context.ts";
import { enterGate, oneByOne, standInLine } from "#core/coordination.ts";
import { Database } from "#core/database/database.ts";
import { Folder } from "#core/files/folder.ts";
import { deliverTask, type Job, NOTIFY_TASK, sendAll, type Task } from "#core/jobs.ts";
import { logFault, nameWork } from "#core/log.ts";
import { decrypt, encrypt } from "#core/secrets/encryption.ts";
import { sha256Hex } from "#core/secrets/hash.ts";
import { hmacOf } from "#core/secrets/hmac.ts";
import { secretPlace } from "#core/secrets/secret-kind.ts";
import { auditKeyOf } from "#core/write/audit-link.ts";
import type { ResourceName } from "#shared/resource-names.ts";
import { toBase64Url } from "#shared/text/base64url.ts";
import { ulid } from "#shared/text/ulid.ts";
import { auditHead, moveAuditHead } from "#tenancy/audit-heads.ts";
import { assignNumber, releaseNumber } from "#tenancy/chatapp-numbers.ts";
import { changeTimezone } from "#tenancy/companies/time-zone.ts";
import { upgraderOf } from "#tenancy/context.ts";
import type { CompanyRecord } from "#tenancy/directory.ts";
import { keepErasures } from "#tenancy/erasures.ts";
import { upgradeBefore } from "#tenancy/migrations/becomes-ready.ts";
import type { Env } from "../env.ts";
import { directoryOf, type Environment, environmentOf } from "./environment.ts";
import { type BoundedCompany, giveBack, reserveOwn } from "./messaging-quota.ts";
import { clientAddress, newState, type RequestContext } from "./request-state.ts";
import { servicesOf } from "./services.ts";

/** The answer of a limiter that nothing asked. */
export const ADMITTED = Promise.resolve({ admitted: true, limit: 0, remaining: 0, resetMs: 0 });
const NO_VISITOR = { visitor: null, visitorToken: null };
const TOKEN_BYTES = 32;
// No message waits behind these: they have queues of their own.
const QUEUES: Readonly<Record<string, "HOUSEKEEPING" | "DELIVERIES" | "NOTIFICATIONS">> = {
  housekeep: "HOUSEKEEPING",
  reconcile: "HOUSEKEEPING",
  refunds: "HOUSEKEEPING",
  reseal: "HOUSEKEEPING",
  deliver: "DELIVERIES",
  notify: "NOTIFICATIONS",
};

/** A call of which nothing is known from before, and which no other waits for. */
export function unkeyed(name: string, id: string): Call {
  const gate = Promise.resolve("run" as const);
  return {
    name,
    id,
    idempotencyRecordKey: id,
    fingerprint: null,
    gate,
    auditedMembers: null,
    isDryRun: false,
    auditPrefix: "",
  };
}

/** The context of what no API key asked for: a callback of an outside service, a job. `name` stands in the audit log. */
export function systemContext(
  environment: Environment,
  company: CompanyRecord,
  name: string,
  changes: readonly ResourceName[],
  startedAt = Date.now(),
): Ctx {
  const { id, requestId } = newState();
  nameWork({ request_id: requestId, company: company.slug });
  return newContext(environment, {
    company,
    owner: company,
    actor: { type: "system", id: name, name },
    now: startedAt + company.clockOffsetMs,
    requestId,
    call: unkeyed(name, id),
    changes: { names: changes },
    admission: ADMITTED,
    client: { address: "", visitor: null, visitorToken: null, allowsOrigin: () => true, holds: () => true },
    reserveQuota: noQuota,
    reserveCeiling: noQuota,
  });
}

/** What a form of a page sends: its operation, and all that makes it one call, however often it is sent. */
export type Submission = { operation: string; place: readonly string[] };

/**
 * The context of a visitor who has a page's address and no key: the same rights and windows as a publishable key, in the
 * audit log `page`.
 */
export async function pageContext(
  c: RequestContext,
  company: CompanyRecord,
  changes: readonly ResourceName[],
  submission?: Submission,
): Promise<Ctx> {
  const { startedAt, requestId, id } = c.get("state");
  nameWork({ operation: submission?.operation ?? "page" });
  const ctx = systemContext(environmentOf(c), company, "page", changes, startedAt);
  let call = ctx.call;
  if (submission !== undefined) {
    const { operation, place } = submission;
    const idempotencyRecordKey = await sha256Hex(JSON.stringify([company.id, "page", operation, ...place]));
    const gate = enterGate(c.env.IDEMPOTENCY, idempotencyRecordKey, id);
    call = { ...unkeyed(operation, id), idempotencyRecordKey, fingerprint: idempotencyRecordKey, gate };
  }
  return {
    ...ctx,
    ...{ requestId, call },
    actor: { type: "publishable", id: "page", name: "page" },
    client: { address: clientAddress(c), ...NO_VISITOR, allowsOrigin: () => true, holds: () => false },
  };
}

type Given = Pick<
  Ctx,
  | "actor"
  | "now"
  | "requestId"
  | "call"
  | "changes"
  | "admission"
  | "client"
  | "reserveQuota"
  | "reserveCeiling"
> & {
  company: BoundedCompany;
  /** Whose database it is; undefined for the control database. */
  owner: CompanyRecord | undefined;
};

/** The context of a call: what it is given of the call itself, and what reaches its company and the outside. */
export function newContext({ env, origin, afterwards }: Environment, { owner, ...given }: Given): Ctx {
  const directory = directoryOf(env);
  const { company, now } = given;
  const { slug } = company;
  const database =
    owner === undefined
      ? new Database(directory.control)
      : Database.ofCompany(
          owner.address,
          upgradeBefore(() => upgraderOf(env, directory), owner, now),
        );
  const goOn = (work: Promise<unknown>) => afterwards(work.catch((error) => logFault("afterwards", error)));
  return {
    ...given,
    scheduleClock: () => {
      if (owner !== undefined) goOn(scheduleClock(env.COMPANY_CLOCK, env.CLOCK, slug, Date.now()));
    },
    db: database.build,
    database,
    services: servicesOf(env),
    realNow: () => Date.now(),
    origin,
    reserveOwnQuota: (cap, cost, spent, spentByAll, share) =>
      reserveOwn(env, { company, now, cap, cost, spent, spentByAll, share }),
    returnQuota: (clientId, cost, at) => giveBack(env, clientId, { company, now, cost, at }),
    standInLine: (line) => standInLine(env.SLOT_PACER, `${slug}:${line}`, Date.now()),
    // Of equal calls one comes here at a time, so that none waits for another that waits for it.
    oneByOne: async (name, work) => {
      if ((await given.call.gate) !== "run") return work();
      return oneByOne(env.IDEMPOTENCY, await sha256Hex(`${slug}:${name}`), work, goOn);
    },
    callbackRoutes: {
      assign: (number) => assignNumber(directory, company.id, number, now),
      release: (number) => releaseNumber(directory, company.id, number),
    },
    changeTimezone: (timezone) => changeTimezone(directory, company, timezone, now),
    encrypt: (kind, key, secret) => encrypt(env.MASTER_KEY, secretPlace(kind, slug, key), secret),
    decrypt: (kind, key, encrypted) => decrypt(directory.masterKeys, secretPlace(kind, slug, key), encrypted),
    auditChain: {
      key: () => auditKeyOf(env.MASTER_KEY),
      head: () => auditHead(directory, company.id),
      moveHead: (head) => moveAuditHead(directory, company.id, head),
      keepErasures: (erased) => keepErasures(directory, company.id, erased, now),
    },
    hmacs: (purpose, text) =>
      Promise.all(directory.masterKeys.map((masterKey) => hmacOf(masterKey, purpose, text))),
    files: (folder) => new Folder(env.FILES, folder, company.id),
    enqueue: (tasks, delaySeconds = 0) => enqueue(env, slug, tasks, delaySeconds),
    queueDeliveries: (endpoints) => goOn(enqueue(env, slug, endpoints.map(deliverTask), 0)),
    queueNotifications: () => goOn(enqueue(env, slug, [NOTIFY_TASK], 0)),
    afterwards: goOn,
    newId: () => ulid(now),
    newToken,
  };
}

async function enqueue(
  env: Env,
  company: string,
  tasks: readonly Task[],
  delaySeconds: number,
): Promise<void> {
  const messages = tasks.map((task) => ({ body: { ...task, company }, delaySeconds }));
  const byQueue = Map.groupBy(messages, ({ body }) => QUEUES[body.kind] ?? "MESSAGES");
  for (const [queue, queued] of byQueue) await sendAll<Job>(env[queue], queued);
}

function noQuota(): Promise<never> {
  return Promise.reject(new Error("Only an API key has a messaging quota"));
}

function newToken(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
}
