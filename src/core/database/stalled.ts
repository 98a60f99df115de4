import { circuitBreakerOf } from "./circuit-breaker.ts";
import type { DatabaseAddress } from "./clients.ts";

/** A database that answers no write: since when (ms of `performance.now`), and whether it has answered a read since. */
export type Stalled = { readonly address: DatabaseAddress; readonly since: number; reads: boolean };

const stalled = new Map<string, Stalled>();

/** Notes that a write had no answer; it counts once the circuit breaker before the writes is open. */
export function noteSilentWrite(address: DatabaseAddress): void {
  const { url } = address;
  if (circuitBreakerOf(url, "write").isOpen && !stalled.has(url))
    stalled.set(url, { address, since: performance.now(), reads: false });
}

/** The databases that have answered no write since, as far as this isolate knows; the longest first. */
export function stalledDatabases(): Stalled[] {
  for (const url of stalled.keys()) if (!circuitBreakerOf(url, "write").isOpen) stalled.delete(url);
  return [...stalled.values()];
}
