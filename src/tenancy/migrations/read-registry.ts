import { Database, type DatabaseAddress } from "#core/database/database.ts";

const LACKS = /no such (?:column|table)/;

/**
 * Reads the registry. Where that lacks what this release reads, which only the refusal shows, it is migrated and read
 * again: a Worker that was just deployed serves before the operator's `migrate`.
 */
export async function readRegistry<Result>(
  address: DatabaseAddress,
  now: number,
  read: (control: Database) => Promise<Result>,
): Promise<Result> {
  const control = new Database(address);
  try {
    return await read(control);
  } catch (error) {
    if (!(error instanceof Error && LACKS.test(error.message))) throw error;
    const { completeRegistry } = await import("./complete-registry.ts");
    if (!(await completeRegistry(control, now))) throw error;
    return read(control);
  }
}
