import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, repeatWhile } from "../../support/http.ts";

type Fields = Record<string, unknown>;
export type Row = Fields & { id: string | number; external_id: string | null };
/** Where a kind is made and listed; `isPut` where its own id changes it, and in `of` the member that names another record. */
export type Kind = { path: string; list?: string; isPut?: true; of?: string; beside?: Fields };
/** A record of the old system: what that says of it, and the id of the one that it names. */
type Old = { id: string; kind: string; said: Fields; names?: string | undefined; isGone?: boolean };
/** Its own records by their ids, and what it has of the service's, by kind and id. */
export type OldSystem = { own: Map<string, Old>; rows: Map<string, Row> };
export type Call = (method: string, path: string, body?: object) => Promise<Answer>;
type Page = { events: { type: string; data: Row }[]; next_after: number; has_more: boolean; epoch: string };

const FEED = "/events/:company";
const PAUSE_MS = 5;
const ENDS = new Set(["customer.deleted", "invoice.voided", "payment.refunded"]);

/** A list, whole. */
export async function listed(call: Call, { path, list = path }: Kind): Promise<Row[]> {
  const rows: Row[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const { body } = await call("GET", `${list}?limit=100${next}`);
    rows.push(...(body.data as unknown as Row[]));
    next = body.paging.next_cursor && `&cursor=${encodeURIComponent(body.paging.next_cursor)}`;
  }
  return rows;
}

/** A program that keeps two systems the same; another one begins with nothing of what it holds. `send` throws where it is killed. */
export function newSync(kinds: Record<string, Kind>, old: OldSystem, send: Call) {
  const rows = new Map<string, Row>();
  let place: Pick<Page, "next_after" | "epoch"> = { next_after: 0, epoch: "" };
  const call: Call = (...sent) =>
    repeatWhile(
      () => send(...sent),
      ({ status }) => status === 503 || status === 429,
    );

  function take(kind: string, row: Row, isGone: boolean): void {
    const own = old.own.get(row.external_id ?? "");
    if (own !== undefined) own.isGone = isGone;
    for (const side of [rows, old.rows])
      if (isGone) side.delete(`${kind}/${row.id}`);
      else side.set(`${kind}/${row.id}`, row);
  }

  async function begin(): Promise<void> {
    place = (await call("GET", FEED)).body.data as Page;
    rows.clear();
    for (const [kind, one] of Object.entries(kinds))
      for (const row of await listed(call, one)) take(kind, row, false);
    for (const key of old.rows.keys()) if (!rows.has(key)) old.rows.delete(key);
  }

  /** Takes over what has happened; false where the feed begins anew. */
  async function follow(): Promise<boolean> {
    for (;;) {
      const query = `after=${place.next_after}&epoch=${place.epoch}&limit=100`;
      const { body } = await call("GET", `${FEED}?${query}`);
      if (body.code === "feed_restarted") return false;
      const page = body.data as Page;
      for (const { type, data } of page.events) {
        const [kind = ""] = type.split(".");
        if (kinds[kind] !== undefined) take(kind, data, ENDS.has(type));
        if (kind !== "payment") continue;
        const invoice = (await call("GET", `/invoices/:company/${data.invoice_id}`)).body.data;
        take("invoice", invoice as Row, invoice.status === "voided");
      }
      place = page;
      if (!page.has_more) return true;
    }
  }

  /** Sends what the service lacks or has otherwise; where it `isUnsure`, also what it has. Gives how many. */
  async function push(isUnsure = false): Promise<number> {
    const known = new Map([...rows.values()].map((row) => [row.external_id, row]));
    let sent = 0;
    for (const own of old.own.values()) {
      const { path = "", isPut, of, beside } = kinds[own.kind] ?? {};
      const [row, named] = [known.get(own.id), known.get(own.names ?? own.id)];
      if (of && !named) own.isGone ||= old.own.get(own.names ?? "")?.isGone === true;
      const isSame = isPut ? Object.entries(own.said).every(([k, v]) => row?.[k] === v) : row && !isUnsure;
      if (own.isGone || isSame || (of && !named)) continue;
      const body = { external_id: own.id, ...beside, ...own.said, ...(of && { [of]: named?.id }) };
      const answer = isPut
        ? await call("PUT", `${path}/external/${encodeURIComponent(own.id)}`, own.said)
        : await call("POST", path, body);
      if (answer.body.code === "external_id_retired") own.isGone = row === undefined;
      // What it names may be gone by now: the feed will say so.
      else if (answer.status >= 300 && !of) throw new Error(`${own.id}: ${answer.text}`);
      sent += 1;
    }
    return sent;
  }

  /** Takes to each side what it lacks, until that is nothing and it is enough. */
  async function run(isEnough: () => boolean | Promise<boolean>): Promise<void> {
    for (let isBegun = false; ; await sleep(PAUSE_MS)) {
      if (!isBegun) await begin();
      isBegun = await follow();
      if (isBegun && (await push()) === 0 && (await isEnough())) return;
    }
  }
  return { run, push };
}
