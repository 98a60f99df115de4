import type { InStatement, InValue, ResultSet, Row } from "@libsql/client/http";
import type { SQLWrapper } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { drizzle, type SqliteRemoteDatabase } from "drizzle-orm/sqlite-proxy";
import type { Problem } from "#shared/problem.ts";
import { retryLater } from "#shared/retry.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { logFault } from "../log.ts";
import { circuitBreakerOf, Refused } from "./circuit-breaker.ts";
import { ATTEMPT_MS, clientOf, type DatabaseAddress, openClient } from "./clients.ts";
import { BatchRefused, classify, type Failure } from "./failure.ts";
import { forgetLook, guardOf, noteLook } from "./replaced.ts";
import { NoTurn, writeLineOf } from "./write-line.ts";

export type { DatabaseAddress };
/** What builds a company's statements: drizzle, without the means to run them. */
export type QueryBuilder = SqliteRemoteDatabase;
export type Query = BatchItem<"sqlite">;
type Mode = "read" | "write";
type Statement = { sql: string; params: readonly unknown[] };

type Kind = Failure["kind"];

/** Worth another try. */
const PASSING = new Set<Kind>(["busy", "missing", "unknown"]);
/** What is left when the tries are over, for the operator to look at. */
const LASTING = new Set<Kind>(["missing", "closed", "blocked", "replaced", "fault"]);
const ATTEMPTS = 3;
const TOTAL_MS = 12_000;
const dialect = new SQLiteAsyncDialect();

/**
 * One libSQL database. A statement built with `build` runs only through `read` or `write`: each is one batch, one
 * HTTP request, one transaction.
 */
export class Database {
  readonly build: QueryBuilder;
  readonly #address: DatabaseAddress;
  readonly #isCompanys: boolean;

  /** `isCompanys`: whether it is a company's own, which is not served once another has taken its place. */
  constructor(address: DatabaseAddress, { isCompanys = false } = {}) {
    this.#address = address;
    this.#isCompanys = isCompanys;
    this.build = drizzle(refuseAutocommit, (queries) => this.#run(queries, "read"));
  }

  /** The database of a company, of which nothing is read or written (503 `unavailable`) where another has its place. */
  static ofCompany(address: DatabaseAddress): Database {
    return new Database(address, { isCompanys: true });
  }

  /** Runs the queries as one read batch and gives their rows, typed. Throws 503 `unavailable` when it cannot. */
  read<const Queries extends readonly [Query, ...Query[]]>(
    queries: Queries,
  ): Promise<BatchResponse<Queries>> {
    return this.build.batch(queries) as Promise<BatchResponse<Queries>>;
  }

  /**
   * Runs SELECTs that may take a minute, once and over a connection of their own: how they end says nothing about the
   * database to other calls. Throws 503 `unavailable` when they do not end.
   */
  async readLong(selects: readonly SQLWrapper[]): Promise<(readonly Row[])[]> {
    try {
      const bound = selects.map((select) => bind(dialect.sqlToQuery(select.getSQL())));
      const results = await openClient(this.#address, MINUTE_MS).batch(bound, "read");
      return results.map(({ rows }) => rows);
    } catch (error) {
      const { kind } = classify(error);
      if (kind === "fault") throw error;
      throw givenUp(kind, false);
    }
  }

  /** Runs the statements as one write batch: all or nothing. Throws `BatchRefused`, or a 503 problem. */
  write(statements: readonly SQLWrapper[]): Promise<ResultSet[]> {
    return this.#run(
      statements.map((statement) => dialect.sqlToQuery(statement.getSQL())),
      "write",
    );
  }

  /** Runs a script of several statements in one request; for migrations, which bring their own BEGIN and COMMIT. */
  async script(text: string): Promise<void> {
    try {
      await clientOf(this.#address).executeMultiple(text);
    } catch (error) {
      const { kind } = classify(error);
      if (kind === "refused" || kind === "fault") throw error;
      if (LASTING.has(kind)) logFault(`database: ${kind}`, error);
      throw givenUp(kind, kind === "unknown");
    }
  }

  async #run(statements: readonly Statement[], mode: Mode): Promise<ResultSet[]> {
    const { url } = this.#address;
    const begunAt = performance.now();
    const guard = this.#isCompanys ? guardOf(url, mode, begunAt) : undefined;
    const bound = [...(guard === undefined ? [] : [guard]), ...statements.map(bind)];
    const deadline = begunAt + TOTAL_MS;
    let unknown = false;
    for (let attempt = 1; ; attempt += 1) {
      const startedAt = performance.now();
      const timeoutMs = Math.min(ATTEMPT_MS, deadline - startedAt);
      const client = attempt === 1 ? clientOf(this.#address) : openClient(this.#address, timeoutMs);
      const batch = () => client.batch(bound, mode);
      try {
        const results = await circuitBreakerOf(url, mode).attempt(attempt > 1, (ask) =>
          mode === "read"
            ? ask(batch, isSilence)
            : writeLineOf(url).take(deadline - startedAt, () => ask(batch, isSilence)),
        );
        if (guard === undefined) return results;
        const [looked, ...others] = results;
        if (mode === "read" && looked?.rows.length !== 0) throw new Replaced();
        noteLook(url, begunAt);
        return others;
      } catch (error) {
        if (error instanceof NoTurn) throw givenUp("busy", unknown);
        if (error instanceof Refused) throw givenUp("busy", unknown, error.waitMs);
        const failure = error instanceof Replaced ? ({ kind: "replaced" } as const) : classify(error);
        if (failure.kind === "refused") throw new BatchRefused(failure.code, unknown);
        if (failure.kind === "replaced") forgetLook(url);
        unknown ||= mode === "write" && failure.kind === "unknown";
        if (failure.kind === "fault" && !unknown) throw error;
        const now = performance.now();
        // The longer it took, the longer the pause: another try would only feed a queue that is stuck.
        const pause = 50 + Math.random() * 350 + (now - startedAt) / 8;
        const isLast = !PASSING.has(failure.kind) || attempt === ATTEMPTS || now + pause > deadline;
        if (isLast && LASTING.has(failure.kind)) logFault(`database: ${failure.kind}`, error);
        if (isLast) throw givenUp(failure.kind, unknown);
        await scheduler.wait(pause);
      }
    }
  }
}

/** A read came to a database whose place another has taken. */
class Replaced extends Error {
  constructor() {
    super("The company has another database: `company-ops adopt`, or `company use-spare`");
  }
}

/** A whole number goes as a 64-bit integer: as a JavaScript number it would be a REAL. */
function bind({ sql, params }: Statement): InStatement {
  return { sql, args: params.map(toValue) };
}

function toValue(value: unknown): InValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "bigint") return value;
  // Text is UTF-8 there, which has no half of a pair; an outside service may have sent one.
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "number" && Number.isFinite(value))
    return Number.isSafeInteger(value) ? BigInt(value) : value;
  throw new TypeError(`A ${typeof value} cannot be bound`);
}

function isSilence(error: unknown): boolean {
  return classify(error).kind === "unknown";
}

function givenUp(kind: Kind, unknown: boolean, waitMs = 1_000): Problem {
  if (unknown) return retryLater("outcome_unknown", waitMs);
  if (kind === "blocked") return retryLater("database_blocked", MINUTE_MS);
  return retryLater("unavailable", waitMs);
}

function refuseAutocommit(): never {
  throw new Error("A statement runs only in a batch: Database.read or atomic()");
}
