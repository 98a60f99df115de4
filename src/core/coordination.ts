import type { Admission, GateAnswer, IdempotencyGate, Quota, RateLimiter, SlotPacer } from "#durable";
import { retryLater, tooMany } from "#shared/retry.ts";
import { logFault } from "./log.ts";

export type { Admission, Quota };

const OPEN: Admission = { admitted: true, limit: 0, remaining: 0, resetMs: 0 };

/** Asks the key's limiter object; `shared` where the quotas are parts of each other. A limiter that fails lets the call through: it sheds load, it guards nothing. */
export async function admit(
  limiters: DurableObjectNamespace<RateLimiter>,
  name: string,
  quotas: Quota[],
  now: number,
  shared = false,
): Promise<Admission> {
  try {
    return await limiters.getByName(name).take(now, quotas, shared);
  } catch (error) {
    logFault("rate_limiter", error);
    return OPEN;
  }
}

/** Throws 429 `rate_limited` when the limiter refused the call. */
export async function requireAdmission(admission: Promise<Admission>): Promise<void> {
  const { admitted, resetMs } = await admission;
  if (admitted) return;
  throw tooMany("rate_limited", resetMs, (seconds) => `Rate limit reached: try again in ${seconds} s`);
}

/** Waits its turn among calls of one name, as of one Idempotency-Key; a gate that fails lets all run, the database decides. */
export async function enterGate(
  gates: DurableObjectNamespace<IdempotencyGate>,
  scope: string,
  caller: string,
): Promise<GateAnswer> {
  try {
    return await gates.getByName(scope).enter(caller);
  } catch (error) {
    logFault("idempotency_gate", error);
    return "run";
  }
}

/** Lets the next call of the same name go on, where it is the turn of `caller`; `done` when this one's effect is committed. */
export async function leaveGate(
  gates: DurableObjectNamespace<IdempotencyGate>,
  scope: string,
  caller: string,
  done: boolean,
): Promise<void> {
  try {
    await gates.getByName(scope).leave(caller, done);
  } catch (error) {
    logFault("idempotency_gate", error);
  }
}

/**
 * Runs work while no other of this name runs. Those that waited for one that succeeded run side by side, and find what it
 * did. A gate that fails lets all run. Throws 503 where one runs for too long.
 */
export async function oneByOne<Result>(
  gates: DurableObjectNamespace<IdempotencyGate>,
  name: string,
  work: () => Promise<Result>,
  afterwards: (leaving: Promise<void>) => void,
): Promise<Result> {
  const caller = crypto.randomUUID();
  const answer = await enterGate(gates, name, caller);
  if (answer === "busy") throw retryLater("unavailable", 1_000);
  if (answer === "finished") return work();
  let done = false;
  try {
    const result = await work();
    done = true;
    return result;
  } finally {
    afterwards(leaveGate(gates, name, caller, done));
  }
}

/** Waits in the line of this name, two seconds at most; one that fails lets all go on at once. `now`: epoch ms. */
export async function standInLine(
  pacers: DurableObjectNamespace<SlotPacer>,
  line: string,
  now: number,
): Promise<void> {
  try {
    const delay = await pacers.getByName(line).arrive(now);
    if (delay > 0) await scheduler.wait(delay);
  } catch (error) {
    logFault("slot_pacer", error);
  }
}
