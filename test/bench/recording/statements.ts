import type { Sent } from "./recording.ts";

/** A value as the protocol has it. */
export type Value =
  | { type: "null" }
  | { type: "integer" | "text"; value: string }
  | { type: "float"; value: number }
  | { type: "blob"; base64: string };
export type Statement = { sql: string; args: Value[] };
/** What one request asks of a database. */
export type Asked = { namespace: string; isWrite: boolean; statements: Statement[]; request: Sent };

type Stmt = { sql?: string; sql_id?: number; args?: Value[] };
type Piped = {
  type: string;
  sql?: string;
  sql_id?: number;
  stmt?: Stmt;
  batch?: { steps: { stmt: Stmt }[] };
};

// What begins and ends a transaction, or a member of a group in it.
const FRAME = /^\s*(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/i;
const IMMEDIATE = /^\s*BEGIN IMMEDIATE/i;
const NAMESPACE = /\/dev\/([^/]+)\//;

/** The requests to databases among what was sent, in order. */
export function askedOf(sent: readonly Sent[]): Asked[] {
  return sent.flatMap((request) => {
    const namespace = NAMESPACE.exec(request.url)?.[1];
    if (namespace === undefined || request.body === "") return [];
    const all = allStatements(request.body);
    const isWrite = all.some(({ sql }) => IMMEDIATE.test(sql));
    return [{ namespace, isWrite, statements: all.filter(({ sql }) => !FRAME.test(sql)), request }];
  });
}

/** The pipeline's requests, as JSON texts, for a stream that stays open: its stored texts are closed instead of it. */
export function onOpenStream({ body }: Sent): string[] {
  const { requests } = JSON.parse(body) as { requests: Piped[] };
  const idsOf = (wanted: string) =>
    requests.filter(({ type }) => type === wanted).map((one) => one.sql_id ?? 0);
  const closed = idsOf("close_sql");
  const open = idsOf("store_sql").filter((id) => !closed.includes(id));
  return [
    ...requests.filter(({ type }) => type !== "close"),
    ...open.map((id) => ({ type: "close_sql", sql_id: id })),
  ].map((request) => JSON.stringify(request));
}

function allStatements(body: string): Statement[] {
  const texts = new Map<number, string>();
  const { requests } = JSON.parse(body) as { requests: Piped[] };
  return requests.flatMap(({ type, sql = "", sql_id: id = 0, stmt, batch }) => {
    if (type === "store_sql") texts.set(id, sql);
    const asked = [...(stmt === undefined ? [] : [stmt]), ...(batch?.steps ?? []).map((step) => step.stmt)];
    return asked.map(({ sql: text, sql_id: stored = 0, args = [] }) => ({
      sql: text ?? texts.get(stored) ?? "",
      args,
    }));
  });
}
