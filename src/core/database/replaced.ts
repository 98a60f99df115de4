import { putNewest } from "../put-newest.ts";

/** What the database raises where a write comes to one whose place another has taken. */
export const REPLACED = "database_replaced";

const READ = "SELECT 1 FROM database_generation WHERE replaced_by IS NOT NULL";
// Of a database that is not replaced it finds no row, and so writes nothing.
const WRITE = "UPDATE database_generation SET id = id WHERE replaced_by IS NOT NULL";
/** As long as the address is remembered that the control database says. */
const LOOKED_AT_MS = 10_000;

const lookedAt = new Map<string, number>();

/**
 * What a batch for a company's own database has to begin with: a write always, a read where this isolate has not looked for
 * a while. It goes with a request that is made anyway. `now`: performance.now().
 */
export function guardOf(url: string, mode: "read" | "write", now: number): string | undefined {
  if (mode === "write") return WRITE;
  return now - (lookedAt.get(url) ?? Number.NEGATIVE_INFINITY) < LOOKED_AT_MS ? undefined : READ;
}

/** Remembers for ten seconds that the database at this address is not replaced. `now`: performance.now(). */
export function noteLook(url: string, now: number): void {
  putNewest(lookedAt, url, now);
}

/** Has the next read look again. */
export function forgetLook(url: string): void {
  lookedAt.delete(url);
}

/** A read came to a database whose place another has taken. */
export class Replaced extends Error {
  constructor() {
    super("The company has another database: `company-ops adopt`, or `company use-spare`");
  }
}
