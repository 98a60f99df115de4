import type { Directory } from "#tenancy/directory.ts";
import type { Env } from "../env.ts";
import type { RequestContext } from "./request-state.ts";

/** What a context is made from besides the call itself. */
export type Environment = { env: Env; origin: string; afterwards: (work: Promise<unknown>) => void };

/** The environment of a request. */
export function environmentOf(c: RequestContext): Environment {
  return {
    env: c.env,
    origin: c.env.PUBLIC_ORIGIN ?? originOf(c.req.url),
    afterwards: (work) => c.executionCtx.waitUntil(work),
  };
}

/** The master keys, current first. */
export function masterKeysOf(env: Env): readonly string[] {
  return env.PREVIOUS_MASTER_KEY === undefined ? [env.MASTER_KEY] : [env.MASTER_KEY, env.PREVIOUS_MASTER_KEY];
}

/** Where keys and companies are looked up. */
export function directoryOf(env: Env): Directory {
  return {
    control: { url: env.CONTROL_DATABASE_URL, token: env.CONTROL_DATABASE_TOKEN },
    masterKeys: masterKeysOf(env),
    sandbox: env.SANDBOX !== undefined,
  };
}

/** Scheme and host of an address, without the cost of parsing all of it. */
function originOf(url: string): string {
  return url.slice(0, url.indexOf("/", url.indexOf("://") + 3));
}
