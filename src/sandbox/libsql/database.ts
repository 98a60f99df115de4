import Engine from "libsql";
import { toStatementError } from "./engine-error.ts";
import { encodeValue, type HranaStatementResult, type SqlValue, StatementError } from "./protocol.ts";
import { describeSql, type SqlKind } from "./sql.ts";

export type Synchronous = "OFF" | "FULL";
export type Arguments = SqlValue[] | Record<string, SqlValue>;

type Statement = Engine.Statement<[Arguments]>;
type Prepared = { statement: Statement; kind: SqlKind; reader: boolean; shape: string };

const PREPARED_LIMIT = 256;

/** One open database file: a single connection and its prepared statements. */
export class Database {
  readonly #engine: Engine.Database;
  readonly #prepared = new Map<string, Prepared>();
  readonly #changes: Statement;

  constructor(path: string, synchronous: Synchronous) {
    this.#engine = new Engine(path);
    this.#engine.defaultSafeIntegers(true);
    this.#engine.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA foreign_keys = ON`,
    );
    this.#changes = this.#engine.prepare<[Arguments]>("SELECT changes()").raw();
  }

  get isAutocommit(): boolean {
    return !this.#engine.inTransaction;
  }

  /** Runs one statement to its end; a refusal of the engine is thrown as a StatementError. */
  execute(sql: string, args: Arguments, wantRows: boolean): HranaStatementResult {
    const { statement, kind, reader } = this.#prepare(sql, args);
    let rows: SqlValue[][] = [];
    let counts: Engine.RunResult = { changes: 0, lastInsertRowid: 0 };
    try {
      if (reader) rows = statement.all(args) as SqlValue[][];
      else counts = statement.run(args);
    } catch (error) {
      throw toStatementError(error, "run");
    }
    if (reader && kind !== "other") counts = this.#readCounts();
    return {
      cols: reader ? statement.columns().map(({ name, type }) => ({ name, decltype: type })) : [],
      rows: wantRows ? rows.map((row) => row.map(encodeValue)) : [],
      affected_row_count: kind === "insert" || kind === "change" ? counts.changes : 0,
      last_insert_rowid: kind === "insert" ? String(counts.lastInsertRowid) : null,
    };
  }

  /** Runs a text of several statements without arguments, and stops at the first that fails. */
  executeSequence(sql: string): void {
    try {
      this.#engine.exec(sql);
    } catch (error) {
      throw toStatementError(error, "run");
    }
  }

  rollbackOpenTransaction(): void {
    if (this.#engine.inTransaction) this.#engine.exec("ROLLBACK");
  }

  // The engine keeps a closed connection alive until its statements are collected, and that late end would
  // delete the WAL of a newer file of the same name: leaving WAL mode first lets it delete nothing.
  close(): void {
    try {
      this.#engine.exec("PRAGMA journal_mode = DELETE");
    } catch {
      // Another process has the file open; its WAL stays and is read at the next opening.
    }
    this.#prepared.clear();
    this.#engine.close();
  }

  // The engine keeps the bindings of the last run where fewer are given: a statement is reused only for
  // arguments of the same shape.
  #prepare(sql: string, args: Arguments): Prepared {
    const shape = Array.isArray(args) ? String(args.length) : Object.keys(args).join();
    const known = this.#prepared.get(sql);
    this.#prepared.delete(sql);
    const prepared = known?.shape === shape ? known : this.#prepareAnew(sql, shape);
    this.#prepared.set(sql, prepared);
    const [oldest = sql] = this.#prepared.keys();
    if (this.#prepared.size > PREPARED_LIMIT) this.#prepared.delete(oldest);
    return prepared;
  }

  #prepareAnew(sql: string, shape: string): Prepared {
    const { kind, statements } = describeSql(sql);
    if (statements === 0) {
      throw new StatementError("SQL string does not contain any statement", "SQL_NO_STATEMENT");
    }
    if (statements > 1) {
      throw new StatementError("SQL string contains more than one statement", "SQL_MANY_STATEMENTS");
    }
    try {
      const statement = this.#engine.prepare<[Arguments]>(sql);
      const { reader } = statement;
      return { statement: reader ? statement.raw() : statement, kind, reader, shape };
    } catch (error) {
      throw toStatementError(error, "prepare");
    }
  }

  // What `run` reports, for the statement before, which returned rows.
  #readCounts(): Engine.RunResult {
    const [[changes]] = this.#changes.all([]) as [[bigint]];
    return { changes: Number(changes), lastInsertRowid: this.#changes.run([]).lastInsertRowid };
  }
}
