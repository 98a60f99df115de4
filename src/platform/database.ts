import type { SQLWrapper } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { drizzle, type SqliteRemoteDatabase } from "drizzle-orm/sqlite-proxy";
import { Problem } from "#shared/problem.ts";
import { BatchRefused, classify } from "./database-failure.ts";
import { type DatabaseAddress, type Result, type Statement, sendBatch, sendSequence } from "./hrana.ts";
import { logFault } from "./log.ts";

export type { DatabaseAddress };
/** What builds a company's statements: drizzle, without the means to run them. */
export type QueryBuilder = SqliteRemoteDatabase;
export type Query = BatchItem<"sqlite">;
type Mode = "read" | "write";

const ATTEMPTS = 3;
const ATTEMPT_MS = 8_000;
const TOTAL_MS = 12_000;
const dialect = new SQLiteAsyncDialect();

/**
 * One libSQL database. A statement built with `build` runs only through `read` or `write`: each is one batch, one
 * HTTP request, one transaction.
 */
export class Database {
  readonly build: QueryBuilder;
  readonly #address: DatabaseAddress;

  constructor(address: DatabaseAddress) {
    this.#address = address;
    this.build = drizzle(refuseAutocommit, (queries) => this.#run(queries, "read"));
  }

  /** Runs the queries as one read batch and gives their rows, typed. Throws 503 `unavailable` when it cannot. */
  read<const Queries extends readonly [Query, ...Query[]]>(
    queries: Queries,
  ): Promise<BatchResponse<Queries>> {
    return this.build.batch(queries) as Promise<BatchResponse<Queries>>;
  }

  /** Runs the statements as one write batch: all or nothing. Throws `BatchRefused`, or a 503 problem. */
  write(statements: readonly SQLWrapper[]): Promise<Result[]> {
    return this.#run(
      statements.map((statement) => dialect.sqlToQuery(statement.getSQL())),
      "write",
    );
  }

  /** Runs a script of several statements in one request; for migrations, which bring their own BEGIN and COMMIT. */
  async script(text: string): Promise<void> {
    try {
      await sendSequence(this.#address, text, ATTEMPT_MS);
    } catch (error) {
      const { kind } = classify(error);
      if (kind === "disk") logFault("database", error);
      throw kind === "refused" || kind === "fault" ? error : givenUp("write", kind === "unknown");
    }
  }

  async #run(statements: readonly Statement[], mode: Mode): Promise<Result[]> {
    const deadline = performance.now() + TOTAL_MS;
    let unknown = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const timeoutMs = Math.min(ATTEMPT_MS, deadline - performance.now());
        return await sendBatch(this.#address, statements, mode, timeoutMs);
      } catch (error) {
        const failure = classify(error);
        if (failure.kind === "refused") throw new BatchRefused(failure.code, unknown);
        if (failure.kind === "fault") throw error;
        if (failure.kind === "disk") {
          logFault("database", error);
          throw givenUp(mode, unknown);
        }
        unknown ||= failure.kind === "unknown";
        const pause = 50 + Math.random() * 350;
        if (attempt === ATTEMPTS || performance.now() + pause > deadline) throw givenUp(mode, unknown);
        await scheduler.wait(pause);
      }
    }
  }
}

function givenUp(mode: Mode, unknown: boolean): Problem {
  return new Problem(mode === "write" && unknown ? "outcome_unknown" : "unavailable", {
    headers: { "Retry-After": "1" },
  });
}

function refuseAutocommit(): never {
  throw new Error("A statement runs only in a batch: Database.read or atomic()");
}
