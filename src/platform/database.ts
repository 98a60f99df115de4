import { createClient, type InStatement, type InValue, type ResultSet } from "@libsql/client/http";
import type { SQLWrapper } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import type { LibSQLDatabase } from "drizzle-orm/libsql/driver-core";
import { drizzle } from "drizzle-orm/libsql/http";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { Problem } from "#shared/problem.ts";
import { BatchRefused, classify } from "./database-failure.ts";

export type DatabaseAddress = { url: string; token: string };
export type Query = BatchItem<"sqlite">;
type Mode = "read" | "write";

const ATTEMPTS = 3;
const ATTEMPT_MS = 8_000;
const TOTAL_MS = 12_000;
const dialect = new SQLiteAsyncDialect();

/**
 * One libSQL database. A statement built with `build` runs only through `read` or `write`: each is one batch, one
 * HTTP request, one transaction. A client is made for each attempt: one kept between requests hangs the isolate.
 */
export class Database {
  readonly build: LibSQLDatabase;
  readonly #address: DatabaseAddress;

  constructor(address: DatabaseAddress) {
    this.#address = address;
    // drizzle asks for a whole client; only `batch` is ever reached, and only by `read`.
    this.build = drizzle({
      batch: (statements: InStatement[]) => this.#run(statements, "read"),
      execute: refuseAutocommit,
    } as never);
  }

  /** Runs the queries as one read batch and gives their rows, typed. Throws 503 `unavailable` when it cannot. */
  read<const Queries extends readonly [Query, ...Query[]]>(
    queries: Queries,
  ): Promise<BatchResponse<Queries>> {
    return this.build.batch(queries) as Promise<BatchResponse<Queries>>;
  }

  /** Runs the statements as one write batch: all or nothing. Throws `BatchRefused`, or a 503 problem. */
  write(statements: readonly SQLWrapper[]): Promise<ResultSet[]> {
    const compiled = statements.map((statement) => {
      const query = dialect.sqlToQuery(statement.getSQL());
      return { sql: query.sql, args: query.params as InValue[] };
    });
    return this.#run(compiled, "write");
  }

  /** Runs a script of several statements in one request; for migrations, which bring their own BEGIN and COMMIT. */
  async script(text: string): Promise<void> {
    try {
      await this.#client(ATTEMPT_MS).executeMultiple(text);
    } catch (error) {
      const { kind } = classify(error);
      throw kind === "busy" || kind === "unknown" ? givenUp("write", kind === "unknown") : error;
    }
  }

  async #run(statements: InStatement[], mode: Mode): Promise<ResultSet[]> {
    const bound = statements.map(bindIntegers);
    const deadline = performance.now() + TOTAL_MS;
    let unknown = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#client(Math.min(ATTEMPT_MS, deadline - performance.now())).batch(bound, mode);
      } catch (error) {
        const failure = classify(error);
        if (failure.kind === "refused") throw new BatchRefused(failure.code, unknown);
        if (failure.kind === "fault") throw error;
        unknown ||= failure.kind === "unknown";
        const pause = 50 + Math.random() * 350;
        if (attempt === ATTEMPTS || performance.now() + pause > deadline) throw givenUp(mode, unknown);
        await scheduler.wait(pause);
      }
    }
  }

  #client(timeoutMs: number) {
    return createClient({
      url: this.#address.url,
      authToken: this.#address.token,
      fetch: (request: Request) => fetch(request, { signal: AbortSignal.timeout(timeoutMs) }),
    });
  }
}

function givenUp(mode: Mode, unknown: boolean): Problem {
  return new Problem(mode === "write" && unknown ? "outcome_unknown" : "unavailable", {
    headers: { "Retry-After": "1" },
  });
}

/** Over the wire a JavaScript number is a REAL; whole numbers are bound as 64-bit integers instead. */
function bindIntegers(statement: InStatement): InStatement {
  if (typeof statement === "string" || !Array.isArray(statement.args)) return statement;
  return {
    sql: statement.sql,
    args: statement.args.map((value) => (Number.isInteger(value) ? BigInt(value as number) : value)),
  };
}

function refuseAutocommit(): never {
  throw new Error("A statement runs only in a batch: Database.read or atomic()");
}
