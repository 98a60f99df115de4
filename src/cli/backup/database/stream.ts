import { askOutside } from "#core/outside-request.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { Failure } from "../../failure.ts";
import type { Reader, Row, Value } from "../dump/values.ts";

/** The server has ended the stream, as an overloaded one does: what was read of it has to be read anew. */
const ENDED = new Set(["STREAM_EXPIRED", "TRANSACTION_TIMEOUT"]);

/** Where a database is, and what opens it. */
export type Address = { url: string; token: string };

type Cell = { type: string; value?: string | number; base64?: string };
type Result =
  | { type: "ok"; response: { result?: { rows: Cell[][] } } }
  | { type: "error"; error: { message: string; code?: string | null } };
type Answer = { baton: string | null; base_url: string | null; results: Result[] };

/**
 * A stream of statements to one database: what is read after BEGIN is of one moment, until `end`. `isStill`: of a database
 * that nothing writes to, where each statement is a request of its own and no transaction is begun.
 */
export class Stream implements Reader {
  #url: string;
  readonly #token: string;
  readonly #isStill: boolean;
  #baton: string | null = null;

  constructor({ url, token }: Address, { isStill = false } = {}) {
    this.#isStill = isStill;
    this.#url = url.replace(/^libsql:/, "https:").replace(/\/*$/, "");
    this.#token = token;
  }

  /** Runs one statement and gives its rows. Throws a Failure of one line. */
  async all(sql: string, values: readonly Value[] = []): Promise<Row[]> {
    if (this.#isStill && (sql === "BEGIN" || sql === "COMMIT")) return [];
    const rows = await this.#run({ type: "execute", stmt: { sql, args: values.map(cellOf) } });
    return rows.map((row) => row.map(valueIn));
  }

  /** Runs several statements. Throws a Failure of one line. */
  async script(sql: string): Promise<void> {
    await this.#run({ type: "sequence", sql });
  }

  /** Ends the stream, and with it a transaction that is open. */
  async end(): Promise<void> {
    if (this.#baton !== null) await this.#send([{ type: "close" }]).catch(() => undefined);
  }

  async #run(request: object): Promise<Cell[][]> {
    const [result] = await this.#send(this.#isStill ? [request, { type: "close" }] : [request]);
    if (result?.type === "ok") return result.response.result?.rows ?? [];
    const text = `The database refuses: ${result?.error.message ?? "no answer"}`;
    throw new Failure(text, !ENDED.has(result?.error.code ?? ""));
  }

  async #send(requests: readonly object[]): Promise<Result[]> {
    const { origin } = new URL(this.#url);
    const response = await askOutside(`${this.#url}/v2/pipeline`, {
      method: "POST",
      headers: { Authorization: `Bearer ${this.#token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ baton: this.#baton, requests }),
      signal: AbortSignal.timeout(MINUTE_MS),
    }).catch(() => {
      const said = `The database server at ${origin} does not answer: is it reached from this machine?`;
      throw new Failure(said, false);
    });
    if (response.status === 401 || response.status === 403)
      throw new Failure(`The database server at ${origin} refuses the token`);
    if (!response.ok) {
      const text = await response.text();
      const isEnded = [...ENDED].some((code) => text.includes(`"${code}"`));
      // A server that was started anew does not know the stream.
      const isUnknown = response.status === 400 && this.#baton !== null;
      const said = `The database server at ${origin} answered ${response.status} ${text}`;
      throw new Failure(said, !isEnded && !isUnknown && response.status < 500);
    }
    const { baton, base_url: moved, results } = (await response.json()) as Answer;
    this.#baton = baton;
    if (moved !== null) this.#url = moved.replace(/\/*$/, "");
    return results;
  }
}

function cellOf(value: Value): Cell {
  if (value === null) return { type: "null" };
  if (typeof value === "bigint") return { type: "integer", value: String(value) };
  if (typeof value === "number") return { type: "float", value };
  if (typeof value === "string") return { type: "text", value };
  return { type: "blob", base64: Buffer.from(value).toString("base64") };
}

function valueIn({ type, value, base64 }: Cell): Value {
  if (type === "integer") return BigInt(value ?? 0);
  if (type === "float") return Number(value);
  if (type === "text") return String(value);
  return type === "blob" ? Buffer.from(base64 ?? "", "base64") : null;
}
