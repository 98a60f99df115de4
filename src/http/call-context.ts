import type { Operation } from "#contract/operation.ts";
import { changesOf, type Resource } from "#contract/resource.ts";
import { auditHead, moveAuditHead } from "#control/audit-heads.ts";
import { claimNumber, releaseNumber } from "#control/chatapp-numbers.ts";
import { changeTimezone } from "#control/companies/time-zone.ts";
import type { ControlCtx } from "#control/context.ts";
import { planeOf } from "#control/context.ts";
import type { CompanyRecord } from "#control/directory.ts";
import { keepErasures } from "#control/erasures.ts";
import { armClock } from "#platform/clock.ts";
import type { Actor, Company, Ctx } from "#platform/context.ts";
import { enterGate, standInLine } from "#platform/coordination.ts";
import { Database, type DatabaseAddress } from "#platform/database/database.ts";
import { Folder } from "#platform/files/folder.ts";
import { deliverTask, type Job, NOTIFY_TASK, sendAll, type Task } from "#platform/jobs.ts";
import { logFault } from "#platform/log.ts";
import { sha256Hex } from "#platform/secrets/hash.ts";
import { markOf } from "#platform/secrets/mark.ts";
import { open, seal } from "#platform/secrets/seal.ts";
import { sealPlace } from "#platform/secrets/sealed-kind.ts";
import { auditKeyOf } from "#platform/write/audit-link.ts";
import { toBase64Url } from "#shared/text/base64url.ts";
import { ulid } from "#shared/text/ulid.ts";
import type { Env } from "../env.ts";
import { clientAddress, visitorAddress } from "./access/authenticate.ts";
import { isAllowedOrigin } from "./access/origins.ts";
import { callOf, unkeyed } from "./call.ts";
import { directoryOf, type Environment, environmentOf } from "./environment.ts";
import { giveBack, reserve, reserveOwn } from "./messaging-quota.ts";
import { newState, type RequestContext } from "./request-state.ts";
import { servicesOf } from "./services.ts";

const ADMITTED = Promise.resolve({ admitted: true, limit: 0, remaining: 0, resetMs: 0 });
const PLATFORM_COMPANY: Company = {
  id: 0,
  slug: "",
  name: "",
  country: "IN",
  currency: "INR",
  timezone: "Asia/Kolkata",
};
const PLATFORM_ACTOR: Actor = { type: "platform", id: "platform", name: "platform" };

const TOKEN_BYTES = 32;
// No message waits behind these: they have queues of their own.
const QUEUES: Readonly<Record<string, "HOUSEKEEPING" | "DELIVERIES" | "NOTIFICATIONS">> = {
  housekeep: "HOUSEKEEPING",
  reconcile: "HOUSEKEEPING",
  reseal: "HOUSEKEEPING",
  deliver: "DELIVERIES",
  notify: "NOTIFICATIONS",
};

/** All that the verb of this call is given: its company's database, who calls, the time, and its place for a retry. */
export async function contextOf(c: RequestContext, operation: Operation): Promise<Ctx> {
  const { key, startedAt, requestId, admission } = c.get("state");
  const control = operation.database === "control";
  const ctx = newContext(environmentOf(c), {
    company: key?.company ?? PLATFORM_COMPANY,
    address: control || key === undefined ? undefined : key.company.address,
    actor: key === undefined ? PLATFORM_ACTOR : { type: key.type, id: key.clientId, name: key.name },
    now: startedAt + (key?.company.clockOffsetMs ?? 0),
    requestId,
    call: await callOf(c, operation),
    changes: changesOf(operation.changes, operation.render),
    admission: admission ?? ADMITTED,
    client: {
      address: clientAddress(c),
      visitor: visitorAddress(c),
      allowsOrigin: (origin) => key?.type === "secret" || isAllowedOrigin(origin, key?.allowedOrigins ?? []),
      holds: (scope) => key?.type === "secret" && key.scopes.has(scope),
    },
    reserveQuota: (cost, spent) => reserve(c, cost, spent),
  });
  if (!control) return ctx;
  const controlCtx: ControlCtx = { ...ctx, plane: planeOf(c.env, directoryOf(c.env), key?.company) };
  return controlCtx;
}

/** The context of what no API key asked for: a callback of an outside service, a job. `name` stands in the audit log. */
export function systemContext(
  environment: Environment,
  company: CompanyRecord,
  name: string,
  changes: readonly Resource[],
  startedAt = Date.now(),
): Ctx {
  const { id, requestId } = newState();
  return newContext(environment, {
    company,
    address: company.address,
    actor: { type: "system", id: name, name },
    now: startedAt + company.clockOffsetMs,
    requestId,
    call: unkeyed(name, id),
    changes: changesOf(changes),
    admission: ADMITTED,
    client: { address: "", visitor: null, allowsOrigin: () => true, holds: () => true },
    reserveQuota: () => Promise.reject(new Error("Only an API key has a messaging quota")),
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
  changes: readonly Resource[],
  submission?: Submission,
): Promise<Ctx> {
  const { startedAt, requestId, id } = c.get("state");
  const ctx = systemContext(environmentOf(c), company, "page", changes, startedAt);
  let call = ctx.call;
  if (submission !== undefined) {
    const { operation, place } = submission;
    const memoryKey = await sha256Hex(JSON.stringify([company.id, "page", operation, ...place]));
    const gate = enterGate(c.env.IDEMPOTENCY, memoryKey);
    call = { ...unkeyed(operation, id), memoryKey, fingerprint: memoryKey, gate };
  }
  return {
    ...ctx,
    ...{ requestId, call },
    actor: { type: "publishable", id: "page", name: "page" },
    client: { address: clientAddress(c), visitor: null, allowsOrigin: () => true, holds: () => false },
  };
}

type Given = Pick<
  Ctx,
  "company" | "actor" | "now" | "requestId" | "call" | "changes" | "admission" | "client" | "reserveQuota"
> & {
  /** Undefined for the control database. */
  address: DatabaseAddress | undefined;
};

function newContext({ env, origin, afterwards }: Environment, { address, ...given }: Given): Ctx {
  const directory = directoryOf(env);
  const { company, now } = given;
  const { slug } = company;
  const database = new Database(address ?? directory.control);
  const goOn = (work: Promise<unknown>) =>
    afterwards(work.catch((error) => logFault("afterwards", error, given.requestId)));
  return {
    ...given,
    armClock: () => {
      if (address !== undefined) goOn(armClock(env.COMPANY_CLOCK, slug, Date.now()));
    },
    db: database.build,
    database,
    services: servicesOf(env),
    origin,
    reserveOwnQuota: (cap, cost, spent) => reserveOwn(env, { company, now, cap, cost, spent }),
    returnQuota: (clientId, cost, at) => giveBack(env, clientId, { company, now, cost, at }),
    standInLine: (line) => standInLine(env.SLOT_PACER, `${slug}:${line}`, Date.now()),
    callbackRoutes: {
      claim: (number) => claimNumber(directory, company.id, number, now),
      release: (number) => releaseNumber(directory, company.id, number),
    },
    changeTimezone: (timezone) => changeTimezone(directory, company, timezone, now),
    seal: (kind, key, secret) => seal(env.MASTER_KEY, sealPlace(kind, slug, key), secret),
    open: (kind, key, sealed) => open(directory.masterKeys, sealPlace(kind, slug, key), sealed),
    auditChain: {
      key: () => auditKeyOf(env.MASTER_KEY),
      head: () => auditHead(directory, company.id),
      moveHead: (head) => moveAuditHead(directory, company.id, head),
      keepErasures: (erased) => keepErasures(directory, company.id, erased, now),
    },
    marks: (purpose, text) =>
      Promise.all(directory.masterKeys.map((masterKey) => markOf(masterKey, purpose, text))),
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

function newToken(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
}
