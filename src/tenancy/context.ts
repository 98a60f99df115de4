import { wakeClock } from "#core/clock.ts";
import type { Ctx } from "#core/context.ts";
import type { DatabaseAddress } from "#core/database/database.ts";
import { logFault } from "#core/log.ts";
import type { Upgrade } from "#durable";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { type Env, judgeEnvironment } from "../env.ts";
import { type CompanyRecord, type Directory, findCompany } from "./directory.ts";
import { ping, type QueueName } from "./heartbeats.ts";
import { type Upgrader, upgradeByClock } from "./migrations/becomes-ready.ts";
import type { Provisioner } from "./provision/index.ts";

/** What the verbs of the control plane have besides: the means to make databases, and what encrypts their tokens. */
export type Plane = {
  readonly directory: Directory;
  readonly sandbox: boolean;
  readonly provisioner: () => Promise<Provisioner>;
  /** Where the database of a company is; null where none is open. As this isolate remembers it for a few seconds. */
  readonly addressOf: (slug: string, now: number) => Promise<DatabaseAddress | null>;
  /** Has a company's clock look for due work now, and again in a minute. `now`: epoch ms. */
  readonly wakeClock: (slug: string, now: number) => Promise<unknown>;
  /** Has a company's clock object bring its database up to date. */
  readonly upgrade: (slug: string, now: number) => Promise<Upgrade>;
  /** What the queues report of themselves. */
  readonly queues: () => Promise<QueueState[]>;
  /** Sends a ping to each queue, whose consumer records it. */
  readonly ping: () => Promise<{ name: QueueName; sent: boolean }[]>;
  /** What is wrong with the variables and bindings, without any value of them. */
  readonly environmentFaults: () => string[];
};

/** How many jobs a queue has, and since when the oldest (epoch ms); null where it does not report it. */
export type QueueState = {
  name: QueueName;
  jobs: number | null;
  oldest: number | null;
};

/** A verb's context on the control database. */
export type ControlCtx = Ctx & { readonly plane: Plane };

/** What upgrades a company's database. */
export function upgraderOf(env: Env, directory: Directory): Upgrader {
  return { clocks: env.COMPANY_CLOCK, directory, provisioner: () => provisionerOf(env) };
}

/** The control plane's means, out of the environment; `own` is the company of the calling key. */
export function planeOf(env: Env, directory: Directory, own?: CompanyRecord): Plane {
  return {
    directory,
    sandbox: env.SANDBOX !== undefined,
    provisioner: () => provisionerOf(env),
    addressOf: async (slug, now) =>
      own?.slug === slug ? own.address : ((await findCompany(directory, slug, now))?.address ?? null),
    wakeClock: (slug, now) => wakeClock(env.COMPANY_CLOCK, slug, now, now + MINUTE_MS),
    upgrade: (slug, now) => upgradeByClock(upgraderOf(env, directory), slug, now, true),
    queues: () => Promise.all(queuesOf(env).map(([name, queue]) => stateOf(name, queue))),
    ping: () =>
      Promise.all(queuesOf(env).map(async ([name, queue]) => ({ name, sent: await ping(name, queue) }))),
    environmentFaults: () => judgeEnvironment(env).faults,
  };
}

function queuesOf({ MESSAGES, HOUSEKEEPING, DELIVERIES, CLOCK, NOTIFICATIONS }: Env) {
  return [
    ["messages", MESSAGES],
    ["housekeeping", HOUSEKEEPING],
    ["deliveries", DELIVERIES],
    ["clock", CLOCK],
    ["notifications", NOTIFICATIONS],
  ] as const;
}

async function provisionerOf(env: Env): Promise<Provisioner> {
  return (await import("./provision/index.ts")).provisionerOf(env);
}

async function stateOf(name: QueueState["name"], queue: Pick<Queue, "metrics">): Promise<QueueState> {
  try {
    const { backlogCount: jobs, oldestMessageTimestamp } = await queue.metrics();
    // Of an empty queue there is none, or that of the epoch.
    const oldest = Number(oldestMessageTimestamp ?? 0);
    return { name, jobs, oldest: oldest > 0 ? oldest : null };
  } catch (error) {
    logFault("queue", error, name);
    return { name, jobs: null, oldest: null };
  }
}
