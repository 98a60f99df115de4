import type { DatabaseAddress } from "#core/database/database.ts";
import { logFault } from "#core/log.ts";
import { askOutside } from "#core/outside-request.ts";
import { retryLater } from "#shared/retry.ts";

/** What says how company databases are made, and where. */
export type ProvisionerVariables = {
  DATABASE_PROVIDER: "sqld" | "turso";
  SQLD_ADMIN_URL?: string;
  /** The key of `--admin-auth-key`. */
  SQLD_ADMIN_TOKEN?: string;
  /** Address of a namespace: `http://{namespace}.db.internal:8080/`, or `http://localhost:8080/dev/{namespace}/`. */
  SQLD_DATABASE_URL?: string;
  SQLD_DATABASE_TOKEN?: string;
  TURSO_API_URL?: string;
  TURSO_API_TOKEN?: string;
  TURSO_ORGANIZATION?: string;
  TURSO_GROUP?: string;
  /** How long a token of a database opens it, such as `90d`; unset, for ever. */
  TURSO_TOKEN_EXPIRATION?: string;
};

/** Whether a commit survives a power cut: it did already, it does from now on, or the provider alone decides. */
export type Durability = "strong" | "set" | "unmanaged";

/**
 * Makes and removes databases, wherever they are kept. Whether a database is ours is decided by `own-database.ts`,
 * never here.
 */
export type Provisioner = {
  exists(name: string): Promise<boolean>;
  /** The names of all databases; null where the provider lists none. */
  names(): Promise<string[] | null>;
  /** Makes an empty, durable database; false where one of that name is there, which stays as it is. */
  create(name: string): Promise<boolean>;
  /**
   * Makes a database that begins as this one is at one moment; undefined where one transaction may read as long as it
   * has to.
   */
  readonly branch: ((of: string, name: string) => Promise<DatabaseAddress>) | undefined;
  /** Where the database of that name is, and a token that opens it: a new one, where each database has its own. */
  address(name: string): Promise<DatabaseAddress>;
  /** Removes the database with all that is in it; quietly when there is none. */
  remove(name: string): Promise<void>;
  /** Shuts out every holder of an address and a token of the database; quietly when there is no database. */
  shutOut(name: string): Promise<void>;
  /** Lets one in again that was shut out; its address is read anew. */
  letIn(name: string): Promise<void>;
  /** Whether the commits of the database at this address are durable. */
  durability(url: string): Promise<"strong" | "relaxed" | "unmanaged">;
  /** Makes the commits of the database at this address durable. */
  makeDurable(url: string): Promise<Durability>;
  /** What opens every database of it; empty where each has a token of its own. */
  readonly token: string;
  /** The token of the environment that opens the database at this address; undefined where each has its own. */
  sharedToken(url: string): string | undefined;
};

type Send = { method: string; authorization: string | undefined; body?: unknown };

const TIMEOUT_MS = 10_000;

/**
 * Calls a provider's API and gives its whole answer. Throws 503 `unavailable` when none comes: what it did then is found
 * or undone later.
 */
export async function send(url: string, { method, authorization, body }: Send): Promise<Response> {
  try {
    const answer = await askOutside(url, {
      method,
      headers: {
        ...(authorization === undefined ? {} : { Authorization: authorization }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return new Response((await answer.text()) || null, answer);
  } catch (error) {
    logFault("database_provider", error, `${method} ${new URL(url).pathname}`);
    throw retryLater("unavailable", 1_000);
  }
}

/** What a provider's API answered in place of a success. */
export class ProviderRefusal extends Error {}

/** The answer, when it is a success or has the accepted status; otherwise throws what the provider said. */
export async function expectOk(answer: Response, alsoFine?: number): Promise<Response> {
  if (answer.ok || answer.status === alsoFine) return answer;
  const said = (await answer.text()).slice(0, 200);
  throw new ProviderRefusal(`The database provider answered ${answer.status}: ${said}`);
}

/** The variable's value; throws when it is missing. */
export function required(value: string | undefined, name: string): string {
  if (value === undefined || value === "") throw new Error(`${name} is not set`);
  return value;
}
