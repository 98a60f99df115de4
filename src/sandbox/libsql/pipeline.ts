import type { Arguments, Database } from "./database.ts";
import {
  decodeValue,
  type HranaCondition,
  type HranaError,
  type HranaPipeline,
  type HranaRequest,
  type HranaStatement,
  type HranaStatementResult,
  type HranaStep,
  ProtocolError,
  StatementError,
} from "./protocol.ts";

type StoredSql = Map<number, string>;
type StreamResult = { type: "ok"; response: object } | { type: "error"; error: HranaError };
type PipelineAnswer = { baton: null; base_url: null; results: StreamResult[] };

/** Runs every request of a pipeline to its end; a transaction it leaves open is rolled back. */
export function runPipeline(database: Database, pipeline: HranaPipeline): PipelineAnswer {
  const stored: StoredSql = new Map();
  try {
    return answerEach(pipeline, (request) => respond(database, stored, request));
  } finally {
    database.rollbackOpenTransaction();
  }
}

/** Answers a pipeline with one error for all its work, of which nothing is run. */
export function refusePipeline(pipeline: HranaPipeline, refusal: StatementError): PipelineAnswer {
  return answerEach(pipeline, (request) => {
    if (request.type === "execute" || request.type === "batch" || request.type === "sequence") throw refusal;
    return { type: request.type };
  });
}

function answerEach(pipeline: HranaPipeline, answer: (request: HranaRequest) => object): PipelineAnswer {
  const results = pipeline.requests.map((request): StreamResult => {
    try {
      return { type: "ok", response: answer(request) };
    } catch (error) {
      return { type: "error", error: toHranaError(error) };
    }
  });
  return { baton: null, base_url: null, results };
}

function respond(database: Database, stored: StoredSql, request: HranaRequest): object {
  const { type } = request;
  switch (type) {
    case "execute":
      return { type, result: runStatement(database, stored, request.stmt) };
    case "batch":
      return { type, result: runBatch(database, stored, request.batch.steps) };
    case "sequence":
      database.executeSequence(findSql(stored, request));
      return { type };
    case "store_sql":
      stored.set(request.sql_id, request.sql);
      return { type };
    case "close_sql":
      stored.delete(request.sql_id);
      return { type };
    case "close":
      return { type };
    case "get_autocommit":
      return { type, is_autocommit: database.isAutocommit };
    default:
      throw new ProtocolError("A request has an unknown type");
  }
}

function runBatch(database: Database, stored: StoredSql, steps: HranaStep[]): object {
  const results: (HranaStatementResult | null)[] = [];
  const errors: (HranaError | null)[] = [];
  const succeeded = (step: number) => results[step] != null;
  for (const { condition, stmt } of steps) {
    let result: HranaStatementResult | null = null;
    let failure: HranaError | null = null;
    if (!condition || holds(condition, succeeded, database)) {
      try {
        result = runStatement(database, stored, stmt);
      } catch (error) {
        failure = toHranaError(error);
      }
    }
    results.push(result);
    errors.push(failure);
  }
  return { step_results: results, step_errors: errors };
}

// Like sqld, a step that was skipped counts as one that failed.
function holds(condition: HranaCondition, succeeded: (step: number) => boolean, database: Database): boolean {
  switch (condition.type) {
    case "ok":
      return succeeded(condition.step);
    case "error":
      return !succeeded(condition.step);
    case "not":
      return !holds(condition.cond, succeeded, database);
    case "and":
      return condition.conds.every((each) => holds(each, succeeded, database));
    case "or":
      return condition.conds.some((each) => holds(each, succeeded, database));
    case "is_autocommit":
      return database.isAutocommit;
    default:
      throw new ProtocolError("A condition has an unknown type");
  }
}

function runStatement(
  database: Database,
  stored: StoredSql,
  statement: HranaStatement,
): HranaStatementResult {
  return database.execute(findSql(stored, statement), toArguments(statement), statement.want_rows ?? true);
}

function findSql(stored: StoredSql, { sql, sql_id }: { sql?: string; sql_id?: number }): string {
  const text = sql ?? (sql_id === undefined ? undefined : stored.get(sql_id));
  if (text === undefined) throw new ProtocolError("A statement has no SQL text, or an unknown one");
  return text;
}

function toArguments({ args = [], named_args: named = [] }: HranaStatement): Arguments {
  if (named.length === 0) return args.map(decodeValue);
  if (args.length > 0) {
    throw new StatementError(
      "Specifying both positional and named arguments is not supported",
      "ARGS_BOTH_POSITIONAL_AND_NAMED",
    );
  }
  return Object.fromEntries(named.map(({ name, value }) => [name.replace(/^[:@$]/, ""), decodeValue(value)]));
}

function toHranaError(error: unknown): HranaError {
  if (error instanceof StatementError) return { message: error.message, code: error.code };
  throw error;
}
