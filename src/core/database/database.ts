import type { SQLWrapper } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { drizzle, type SqliteRemoteDatabase } from "drizzle-orm/sqlite-proxy";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { beginWrite } from "./changes.ts";
import { type Ask, circuitBreakerOf, Refused } from "./circuit-breaker.ts";
import { ATTEMPT_MS, type DatabaseAddress, openClient } from "./clients.ts";
import { BatchRefused, classify, type Failure, lacksTable } from "./failure.ts";
import { failureOf, givenUp, isLasting, logGivenUp } from "./given-up.ts";
import { groupLineOf, NoTurn } from "./group-line.ts";
import { type Bound, bind, plainValues, type Result, type Row, sizeOf } from "./protocol.ts";
import { ReadLine, readLineOf } from "./read-line.ts";
import { forgetLook, guardOf, noteLook, Replaced } from "./replaced.ts";
import { READS, sendGroup, WRITES } from "./send-group.ts";
import { noteSilentWrite } from "./stalled.ts";

export type { DatabaseAddress, Result };
/** What builds a company's statements: drizzle, without the means to run them. */
export type QueryBuilder = SqliteRemoteDatabase;
export type Query = BatchItem<"sqlite">;
/** Ends once the database can be used; what it throws, the batch throws. */
export type BecomesReady = () => Promise<void>;
type Options = { isCompanys?: boolean; isAlone?: boolean; becomesReady?: BecomesReady | undefined };
type Mode = "read" | "write";
type Statement = { sql: string; params: readonly unknown[] };
/** A place among the writers, until when its call ends. */
type Turn = { isRetry: boolean; deadline: number; ask: Ask };

/** Worth another try. */
const PASSING = new Set<Failure["kind"]>(["busy", "missing", "unknown"]);
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
  readonly #isAlone: boolean;
  readonly #becomesReady: BecomesReady | undefined;

  /** `isCompanys`: whether it is a company's own, which is not served once another has taken its place. */
  constructor(address: DatabaseAddress, { isCompanys = false, isAlone = false, becomesReady }: Options = {}) {
    this.#address = address;
    this.#isCompanys = isCompanys;
    this.#isAlone = isAlone;
    this.#becomesReady = becomesReady;
    this.build = drizzle(refuseAutocommit, (queries) => this.#run(queries, "read"));
  }

  /**
   * The database of a company, of which nothing is read or written (503 `unavailable`) where another has its place.
   * `becomesReady`: what is awaited before each batch; undefined where the database is ready.
   */
  static ofCompany(address: DatabaseAddress, becomesReady?: BecomesReady): Database {
    return new Database(address, { isCompanys: true, becomesReady });
  }

  /** The same database, where each batch is a transaction of its own: for what takes long, and would delay a group. */
  get alone(): Database {
    const [isCompanys, becomesReady] = [this.#isCompanys, this.#becomesReady];
    return new Database(this.#address, { isCompanys, isAlone: true, becomesReady });
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
      const bound = selects.map((select) => plainValues(bind(dialect.sqlToQuery(select.getSQL()))));
      const results = await openClient(this.#address, MINUTE_MS).batch(bound, "read");
      return results.map(({ rows }) => rows);
    } catch (error) {
      const { kind } = classify(error);
      if (kind === "fault") throw error;
      logGivenUp(kind, error, this.#address);
      throw Object.assign(givenUp(kind, false), { cause: error });
    }
  }

  /** Runs the statements as one write batch: all or nothing. Throws `BatchRefused`, or a 503 problem. */
  write(statements: readonly SQLWrapper[]): Promise<Result[]> {
    const queries = statements.map((statement) => dialect.sqlToQuery(statement.getSQL()));
    return this.#changing(() => this.#run(queries, "write"));
  }

  /** Runs a script of several statements in one request; for migrations, which bring their own BEGIN and COMMIT. */
  script(text: string): Promise<void> {
    return this.#changing(() => this.#runScript(text));
  }

  async #runScript(text: string): Promise<void> {
    try {
      await openClient(this.#address, ATTEMPT_MS).executeMultiple(text);
    } catch (error) {
      const { kind } = classify(error);
      if (kind === "refused" || kind === "fault") throw error;
      logGivenUp(kind, error, this.#address);
      throw givenUp(kind, kind === "unknown");
    }
  }

  /** Notes that the work writes, until it has certainly ended. */
  async #changing<T>(work: () => Promise<T>): Promise<T> {
    const end = beginWrite(this.#address.url);
    try {
      const result = await work();
      end();
      return result;
    } catch (error) {
      if (!mayStillCommit(error)) end();
      throw error;
    }
  }

  async #run(statements: readonly Statement[], mode: Mode, mustLook = false): Promise<Result[]> {
    const begunAt = performance.now();
    if (this.#becomesReady !== undefined) await this.#becomesReady();
    const { url } = this.#address;
    const guard = this.#isCompanys
      ? guardOf(url, mode, mustLook ? Number.POSITIVE_INFINITY : begunAt)
      : undefined;
    const bound = (guard === undefined ? statements : [{ sql: guard, params: [] }, ...statements]).map(bind);
    const deadline = begunAt + TOTAL_MS;
    let unknown = false;
    let silence: unknown;
    for (let attempt = 1; ; attempt += 1) {
      const startedAt = performance.now();
      try {
        const results = await circuitBreakerOf(url, mode).attempt(attempt > 1, (ask) =>
          mode === "read"
            ? this.#readTogether(bound, { isRetry: attempt > 1, deadline, ask })
            : this.#writeInTurn(bound, { isRetry: attempt > 1, deadline, ask }),
        );
        if (guard === undefined) return results;
        const [looked, ...others] = results;
        if (mode === "read" && looked?.rows.length !== 0) throw new Replaced();
        noteLook(url, begunAt);
        return others;
      } catch (error) {
        if (error instanceof NoTurn || error instanceof Refused) {
          // One that the circuit breaker refuses at once has no line: those that waited before it have.
          if (error instanceof NoTurn || silence !== undefined)
            logGivenUp("unknown", silence ?? error, this.#address);
          throw givenUp("busy", unknown, error instanceof Refused ? error.waitMs : undefined);
        }
        const failure = failureOf(error, this.#isCompanys);
        if (failure.kind === "refused") throw new BatchRefused(failure.code, unknown);
        if (isLasting(failure.kind)) forgetLook(url);
        if (failure.kind === "unknown") silence = error;
        if (mode === "write" && failure.kind === "unknown") {
          unknown = true;
          noteSilentWrite(this.#address);
        }
        // Its files may have been removed since the last look.
        if (this.#isCompanys && guard === undefined && lacksTable(error))
          return this.#run(statements, mode, true);
        if (failure.kind === "fault" && !unknown) throw error;
        const now = performance.now();
        // The longer it took, the longer the pause: another try would only feed a queue that is stuck.
        const pause = 50 + Math.random() * 350 + (now - startedAt) / 8;
        const isLast = !PASSING.has(failure.kind) || attempt === ATTEMPTS || now + pause > deadline;
        if (isLast) logGivenUp(failure.kind, error, this.#address);
        if (isLast) throw Object.assign(givenUp(failure.kind, unknown), { cause: error });
        await scheduler.wait(pause);
      }
    }
  }

  /** Reads at once, or with others that wait; by itself where it has failed with them, or takes long. */
  async #readTogether(statements: readonly Bound[], { isRetry, deadline, ask }: Turn): Promise<Result[]> {
    const { url, token } = this.#address;
    const line = isRetry || this.#isAlone ? new ReadLine() : readLineOf(`${url} ${token}`);
    const timeoutMs = Math.min(ATTEMPT_MS, deadline - performance.now());
    const end = await line.read({ statements, size: sizeOf(statements) }, (group) =>
      ask(() => sendGroup(READS, this.#address, group, timeoutMs), isSilence),
    );
    if ("error" in end) throw end.error;
    return end.results;
  }

  /** Writes the batch when its turn has come: in a group, or by itself where it has failed in one. */
  async #writeInTurn(statements: readonly Bound[], { isRetry, deadline, ask }: Turn): Promise<Result[]> {
    const { url, token } = this.#address;
    const isAlone = isRetry || this.#isAlone;
    const batch = { statements, size: sizeOf(statements), token, isAlone, deadline };
    const end = await groupLineOf(url).write(batch, (group, timeoutMs) =>
      ask(() => sendGroup(WRITES, this.#address, group, timeoutMs), isSilence),
    );
    if ("error" in end) throw end.error;
    return end.results;
  }
}

function mayStillCommit(error: unknown): boolean {
  return error instanceof BatchRefused ? error.afterUnknown : Object(error).code === "outcome_unknown";
}

function isSilence(error: unknown): boolean {
  return classify(error).kind === "unknown";
}

function refuseAutocommit(): never {
  throw new Error("A statement runs only in a batch: Database.read or atomic()");
}
