import { vi } from "vitest";
import type { Operation } from "#contract/operation.ts";
import type { TestCompany } from "./company.ts";

// An order stands before its gateway is asked, and what the gateway opened is kept after.
// The first send that a key ever makes also looks up what its day has had.
const WRITES: Record<string, number> = {
  checkout: 3,
  payBooking: 4,
  sendSms: 3,
  sendChatapp: 3,
  sendEmail: 3,
};
const SENDS = new Set(["sendSms", "sendChatapp", "sendEmail"]);
// Each group of sentences is a read of its own, so that none is too long for a large company.
const READS: Record<string, number> = { checkBooks: 4 };
// The copy of a key is in the company's database.
const BESIDE: Record<string, number> = { createKey: 1, updateKey: 1, rotateKey: 1, revokeKey: 1 };

// A send's dispatch begins beside its answer, and makes so many where the service takes up what is queued.
const DISPATCH = 6;

/** How many requests the operation makes of the database that is not its own. */
export function requestsBeside({ id }: Operation): number {
  return BESIDE[id] ?? 0;
}

/** How many requests the operation may make of its own database: a read always makes as many. */
export function requestsAllowed(
  { id, method }: Operation,
  { dispatches }: { dispatches: boolean },
): { least: number; most: number } {
  const beside = dispatches && SENDS.has(id) ? DISPATCH : 0;
  if (method !== "get") return { least: 1, most: (WRITES[id] ?? 2) + beside };
  const reads = READS[id] ?? 1;
  return { least: reads, most: reads };
}

/** Waits until what earlier calls queued is done: its requests would be counted too. */
export async function untilQuiet(company: TestCompany): Promise<void> {
  const open = "SELECT 1 FROM message_recipients WHERE dispatch_state IN ('pending', 'dispatching') LIMIT 1";
  const quiet = async () => (await company.database().execute(open)).rows.length === 0;
  await vi.waitUntil(quiet, { timeout: 15_000, interval: 50 });
}
