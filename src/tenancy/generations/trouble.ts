import { LibsqlError } from "@libsql/client/http";
import { Problem } from "#shared/problem.ts";
import { ProviderRefusal } from "#tenancy/provision/provider-api.ts";

const DAMAGE_CODES = new Set(["SQLITE_CORRUPT", "SQLITE_NOTADB"]);
const DAMAGE = /malformed|not a database/;

/**
 * What is wrong with a database, by what came of a request for it, in words that follow its name. Throws what is a fault
 * of this service.
 */
export function troubleOf(error: unknown): string {
  if (isDamage(error)) return "is damaged";
  if (error instanceof Problem || error instanceof ProviderRefusal || error instanceof LibsqlError)
    return "does not answer";
  throw error;
}

/** Whether it came of a file that is no sound database. */
export function isDamage(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if (DAMAGE_CODES.has(Object(at).code) || DAMAGE.test(at.message)) return true;
  return false;
}
