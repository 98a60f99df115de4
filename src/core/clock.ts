import type { CompanyClock, DueJob, Upgrade } from "#durable";
import { logFault } from "./log.ts";
import { putNewest } from "./put-newest.ts";

/** The clocks of all companies. What is handed to them is real time, never a company's own. */
export type Clocks = DurableObjectNamespace<CompanyClock>;
/** The queue of their looks. */
export type Looks = Pick<Queue<DueJob>, "send">;

// The clock looks soon enough to chain the audit log within a minute, and so late that a write which began while the
// note stood has committed.
const LOOK_AFTER_MS = 45_000;
const NOTED_MS = 15_000;
// By company: when this isolate last scheduled its clock.
const scheduled = new Map<string, number>();

/**
 * Schedules a look in 45 s at what is due for a company. Called before a write, so that a crash after its commit is
 * found. Asks the object at most once in 15 s; where it does not answer, the look is queued without it. Never throws: the
 * hourly jobs look too. `now`: epoch ms.
 */
export async function scheduleClock(
  clocks: Clocks,
  looks: Looks,
  company: string,
  now: number,
): Promise<void> {
  const last = scheduled.get(company);
  if (last !== undefined && now - last < NOTED_MS && now >= last) return;
  putNewest(scheduled, company, now);
  const at = now + LOOK_AFTER_MS;
  if ((await wakeClock(clocks, company, at, at)) || (await queueLook(looks, company))) return;
  scheduled.delete(company);
}

/** Queues the job that an alarm would queue. No clock has counted to 0, so the job only brings an alarm forward. */
async function queueLook(looks: Looks, company: string): Promise<boolean> {
  try {
    await looks.send({ kind: "due", company, counter: 0 }, { delaySeconds: LOOK_AFTER_MS / 1_000 });
    return true;
  } catch (error) {
    logFault("company_clock", error, company);
    return false;
  }
}

/** Schedules a look at an instant (epoch ms), or sooner. False, and logged, where the object does not answer. */
export async function wakeClock(
  clocks: Clocks,
  company: string,
  at: number,
  scheduledUntil?: number,
): Promise<boolean> {
  try {
    await clocks.getByName(company).wake(company, at, scheduledUntil);
    return true;
  } catch (error) {
    logFault("company_clock", error);
    return false;
  }
}

/** Gives the clock the time of its next look, or null. A failure is logged: the clock looks again in a minute. */
export async function rescheduleClock(
  clocks: Clocks,
  company: string,
  next: number | null,
  counter: number,
): Promise<void> {
  try {
    await clocks.getByName(company).settle(next, counter);
  } catch (error) {
    logFault("company_clock", error);
  }
}

/** Has the clock bring the company's database up to date. `unavailable`, and logged, where the object does not answer. */
export async function askForUpgrade(clocks: Clocks, company: string, isOperator = false): Promise<Upgrade> {
  try {
    return await clocks.getByName(company).upgrade(company, isOperator);
  } catch (error) {
    logFault("company_clock", error);
    return { end: "unavailable", applied: [], schemaNumber: 0 };
  }
}
