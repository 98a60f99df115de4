import type { Sent } from "./recording.ts";

/** A value as the protocol has it. */
type Value =
  | { type: "null" }
  | { type: "integer" | "text"; value: string }
  | { type: "float"; value: number }
  | { type: "blob"; base64: string };
export type Statement = { sql: string; args: Value[] };
/** What one request asks of a database. */
type Asked = { namespace: string; isWrite: boolean; statements: Statement[] };

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
  return sent.flatMap(({ url, body }) => {
    const namespace = NAMESPACE.exec(url)?.[1];
    if (namespace === undefined || body === "") return [];
    const all = allStatements(body);
    const isWrite = all.some(({ sql }) => IMMEDIATE.test(sql));
    return [{ namespace, isWrite, statements: all.filter(({ sql }) => !FRAME.test(sql)) }];
  });
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
