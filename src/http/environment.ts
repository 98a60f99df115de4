import type { Directory } from "#control/directory.ts";
import type { Env } from "../env.ts";

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
