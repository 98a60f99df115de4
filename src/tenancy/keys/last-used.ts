import { eq } from "drizzle-orm";
import { Database } from "#core/database/database.ts";
import { logFault } from "#core/log.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import { apiKeys } from "#tables/tenancy";
import type { Directory, KeyRecord } from "../directory.ts";
import { eraseSecret } from "./issued-secret.ts";

const NOTED_EVERY_MS = HOUR_MS;

/**
 * Records that the key is in use, at most once an hour, and erases what is kept of its secret; undefined when there is
 * nothing to do.
 */
export function recordUse(directory: Directory, key: KeyRecord, now: number): Promise<void> | undefined {
  if (key.lastUsedAt !== null && now - key.lastUsedAt < NOTED_EVERY_MS) return undefined;
  const first = key.lastUsedAt === null;
  key.lastUsedAt = now;
  return writeUse(directory, key.clientId, now, first);
}

async function writeUse(directory: Directory, clientId: string, now: number, first: boolean): Promise<void> {
  try {
    const control = new Database(directory.control);
    await control.write([
      control.build.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.clientId, clientId)),
      ...(first ? [eraseSecret(clientId)] : []),
    ]);
  } catch (error) {
    logFault("last_used_at", error);
  }
}
