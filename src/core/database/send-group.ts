import type { DatabaseAddress } from "./clients.ts";
import { classify, NotCommitted } from "./failure.ts";
import {
  allSucceeded,
  type End,
  groupEnds,
  groupReadEnds,
  groupReadSteps,
  groupSteps,
  lastSucceeded,
} from "./group.ts";
import type { ReadBatch } from "./read-line.ts";
import { openSender } from "./sender.ts";

/** How a group of writes, or of reads, is framed and read. */
export const WRITES = { steps: groupSteps, ends: groupEnds, hasEnded: lastSucceeded };
export const READS = { steps: groupReadSteps, ends: groupReadEnds, hasEnded: allSucceeded };

const send = openSender();

/** Sends a group of writes or reads. Throws the error of the request, if none of its batches has an end of its own. */
export async function sendGroup(
  { steps, ends, hasEnded }: typeof WRITES,
  address: DatabaseAddress,
  group: readonly ReadBatch[],
  timeoutMs: number,
): Promise<End[]> {
  const batches = group.map(({ statements }) => statements);
  try {
    return ends(batches, await send(address, steps(batches), timeoutMs, hasEnded));
  } catch (error) {
    // Such as an answer that is too large for one request: each by itself may not be.
    if (group.length > 1 && classify(error).kind === "fault") throw new NotCommitted();
    throw error;
  }
}
