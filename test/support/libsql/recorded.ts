// What sqld 0.24.32 answers when it cannot do what it was asked, as it was seen to.

type Request = { type: string; batch?: { steps: unknown[] } };

// How the client frames a batch: BEGIN, COMMIT and ROLLBACK.
const FRAME = 3;
const MESSAGES: Record<string, string> = {
  SQLITE_BUSY: "SQLite error: database is locked",
  SQLITE_FULL: "SQLite error: database or disk is full",
  SQLITE_IOERR: "SQLite error: disk I/O error",
  SQLITE_CORRUPT: "SQLite error: database disk image is malformed",
  TRANSACTION_TIMEOUT: "Transaction timed-out",
  TRANSACTION_BUSY: "Too many pending transactions",
};
const STATUSES: Record<number, string> = {
  408: "request timed out",
  429: '{"error":"Too many concurrent requests"}',
};

/** An HTTP answer that is none of the database's. */
export function recordedStatus(status: number) {
  const text = STATUSES[status] ?? `{"error":"Internal Error: \`HTTP ${status}\`"}`;
  const type = text.startsWith("{") ? "application/json" : "text/plain";
  return { status, type, body: Buffer.from(text) };
}

/** A pipeline of which nothing was run: the first step of a batch has the error, those after it are skipped. */
export function recordedError(pipeline: Buffer, code: string) {
  if (code === "STREAM_EXPIRED") {
    const text = JSON.stringify({ message: "The stream has expired due to inactivity", code });
    return { status: 400, type: "application/json", body: Buffer.from(text) };
  }
  const error = { message: MESSAGES[code] ?? `SQLite error: ${code}`, code };
  const { requests } = JSON.parse(pipeline.toString()) as { requests: Request[] };
  const results = requests.map(({ type, batch }) => {
    if (type === "execute" || type === "sequence") return { type: "error", error };
    if (batch === undefined) return { type: "ok", response: { type } };
    const none = batch.steps.map(() => null);
    return {
      type: "ok",
      response: { type, result: { step_results: none, step_errors: [error, ...none.slice(1)] } },
    };
  });
  const body = JSON.stringify({ baton: null, base_url: null, results });
  return { status: 200, type: "application/json", body: Buffer.from(body) };
}

/** How many statements a write batch holds, beside those that begin and end it; of any other request none. */
export function statementsIn(pipeline: Buffer): number {
  if (!pipeline.includes('"BEGIN IMMEDIATE"')) return 0;
  const { requests } = JSON.parse(pipeline.toString()) as { requests: Request[] };
  return requests.reduce((sum, { batch }) => sum + (batch === undefined ? 0 : batch.steps.length - FRAME), 0);
}
