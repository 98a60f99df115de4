import type { CompanyClock } from "#durable";
import { logFault } from "./log.ts";

/** The clocks of all companies. What is handed to them is real time, never a company's own. */
export type Clocks = DurableObjectNamespace<CompanyClock>;

// A look comes soon enough for the audit log to be chained within a minute, and late enough for a write that began while
// the note of arming stood to have committed.
const LOOK_AFTER_MS = 45_000;
const NOTED_MS = 15_000;
const MOST_NOTES = 1_000;
// By company: when this isolate has last armed its clock.
const armed = new Map<string, number>();

/**
 * Lets somebody look in 45 s what is due for a company: called before a write, so that a crash after its commit is found.
 * Asks the object at most once in 15 s. Never throws: the hourly net is left. `now`: epoch ms.
 */
export async function armClock(clocks: Clocks, company: string, now: number): Promise<void> {
  const last = armed.get(company);
  if (last !== undefined && now - last < NOTED_MS && now >= last) return;
  note(company, now);
  const at = now + LOOK_AFTER_MS;
  if (!(await wakeClock(clocks, company, at, at))) armed.delete(company);
}

/** Lets somebody look at an instant (epoch ms), or sooner. False, and logged, where the object does not answer. */
export async function wakeClock(
  clocks: Clocks,
  company: string,
  at: number,
  armedUntil?: number,
): Promise<boolean> {
  try {
    await clocks.getByName(company).wake(company, at, armedUntil);
    return true;
  } catch (error) {
    logFault("company_clock", error);
    return false;
  }
}

/** Tells the clock what a look found: when to look next, or null. What fails is logged: it looks again in a minute. */
export async function settleClock(
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

function note(company: string, now: number): void {
  armed.delete(company);
  armed.set(company, now);
  const oldest = armed.keys().next();
  if (armed.size > MOST_NOTES && !oldest.done) armed.delete(oldest.value);
}
