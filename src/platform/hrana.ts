/** A database's address, ending in a slash or not, and the token that opens it. */
export type DatabaseAddress = { url: string; token: string };
/** One statement as the database gets it. */
export type Statement = { sql: string; params: readonly unknown[] };
/** A row's cells by position, as drizzle takes them, and by the name of their column. */
type Row = unknown[] & Record<string, unknown>;
export type Result = { rows: Row[]; rowsAffected: number };

/** The database's own refusal of a batch, or an HTTP status that is no answer. */
export class DatabaseError extends Error {
  readonly code: string;
  readonly status: number | undefined;

  constructor(message: string, code: string, status?: number) {
    super(message);
    this.name = "DatabaseError";
    this.code = code;
    this.status = status;
  }
}

type WireValue = { type: string; value?: string | number };
type WireError = { message: string; code?: string };
type WireResult = { cols: { name: string }[]; rows: WireValue[][]; affected_row_count: number } | null;
type Batch = { step_results: WireResult[]; step_errors: (WireError | null)[] };
type Reply = { type: "ok"; response: { result: Batch } } | { type: "error"; error: WireError };

const BEGIN = { read: "BEGIN TRANSACTION READONLY", write: "BEGIN IMMEDIATE" };
const CLOSE = { type: "close" };

/**
 * Runs the statements as one transaction in one request, all or nothing: libSQL's protocol (Hrana over HTTP, version 2)
 * without a client made and thrown away for each. Throws DatabaseError, or whatever `fetch` throws.
 */
export async function sendBatch(
  address: DatabaseAddress,
  statements: readonly Statement[],
  mode: "read" | "write",
  timeoutMs: number,
): Promise<Result[]> {
  const last = statements.length;
  const work = statements.map(({ sql, params }, index) => ({
    condition: { type: "ok", step: index },
    stmt: { sql, args: params.map(encode), want_rows: true },
  }));
  const steps = [
    { stmt: { sql: BEGIN[mode], want_rows: false } },
    ...work,
    { condition: { type: "ok", step: last }, stmt: { sql: "COMMIT", want_rows: false } },
    {
      condition: { type: "not", cond: { type: "ok", step: last + 1 } },
      stmt: { sql: "ROLLBACK", want_rows: false },
    },
  ];
  const { step_results, step_errors } = await send(address, { type: "batch", batch: { steps } }, timeoutMs);
  const error = step_errors.find((each) => each !== null);
  if (error != null) throw new DatabaseError(error.message, error.code ?? "UNKNOWN");
  return step_results.slice(1, last + 1).map(decode);
}

/** Runs a text of several statements in one request. */
export async function sendSequence(address: DatabaseAddress, sql: string, timeoutMs: number): Promise<void> {
  await send(address, { type: "sequence", sql }, timeoutMs);
}

async function send({ url, token }: DatabaseAddress, work: object, timeoutMs: number): Promise<Batch> {
  const response = await fetch(pipelineOf(url), {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ requests: [work, CLOSE] }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw await refusalOf(response);
  const [reply] = ((await response.json()) as { results: Reply[] }).results;
  if (reply === undefined) throw new Error("The database answered without a result");
  if (reply.type === "error") throw new DatabaseError(reply.error.message, reply.error.code ?? "UNKNOWN");
  return reply.response.result;
}

// By libSQL's convention `libsql:` stands for https.
function pipelineOf(url: string): string {
  return `${url.replace(/^libsql:/, "https:").replace(/\/?$/, "/")}v2/pipeline`;
}

// A server names the reason of some refusals in a JSON body; otherwise the status is all there is.
async function refusalOf(response: Response): Promise<DatabaseError> {
  const text = await response.text();
  const inJson = response.headers.get("Content-Type")?.startsWith("application/json") === true;
  const { message, code }: Partial<WireError> = inJson ? JSON.parse(text) : {};
  if (message !== undefined && code !== undefined) return new DatabaseError(message, code, response.status);
  return new DatabaseError(`HTTP ${response.status}: ${text}`, "SERVER_ERROR", response.status);
}

/** A whole number goes as a 64-bit integer: as a JSON number it would be a REAL. */
function encode(value: unknown): WireValue {
  if (typeof value === "string") return { type: "text", value };
  if (typeof value === "number")
    return Number.isInteger(value) ? { type: "integer", value: String(value) } : { type: "float", value };
  if (typeof value === "bigint") return { type: "integer", value: String(value) };
  if (value === null || value === undefined) return { type: "null" };
  throw new TypeError(`A ${typeof value} cannot be bound`);
}

function decode(result: WireResult | undefined): Result {
  if (result == null) throw new Error("The database skipped a statement");
  const { cols, rows, affected_row_count: rowsAffected } = result;
  return {
    rowsAffected,
    rows: rows.map((cells) => {
      const row = cells.map(decodeValue) as Row;
      for (const [index, { name }] of cols.entries()) row[name] = row[index];
      return row;
    }),
  };
}

function decodeValue({ type, value }: WireValue): unknown {
  if (type === "integer") return Number(value);
  return type === "null" ? null : value;
}
