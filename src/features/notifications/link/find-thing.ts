import { eq, type SQL, sql } from "drizzle-orm";
import type { CallCtx, HmacCtx, OutsideCtx } from "#core/context.ts";
import { columnsNamed } from "#core/sql/columns.ts";
import { type JsonRow, jsonObject, jsonQuery, parseRows } from "#core/sql/json.ts";
import { read } from "#core/write/replay.ts";
import { recordsOf } from "#core/write/setting-changes.ts";
import { SETTINGS, type SettingName, toldOf } from "#shared/settings.ts";
import type { Language } from "#shared/text/language.ts";
import { notifications } from "#tables/notifications";
import { salesOrders } from "#tables/storefront";
import type { FactsOf } from "../send/facts.ts";
import { selectCounted, selectFacts } from "../send/find-due.ts";
import { moneyIn } from "../send/formats.ts";
import { memberLines } from "../send/told.ts";
import { type LinkKind, linkTo, type Target } from "./link.ts";
import type { Word } from "./words.ts";

/** What a page shows of its one thing, and what one press may do to it. */
export type Thing = {
  title: Word;
  /** Values by their words, or of settings by their names. */
  rows?: [name: string, value: string | null][];
  /** When it last changed: an act on another state is refused. */
  seen?: number;
  acts?: Word[];
  /** Of a notice: the pages of what it counts. */
  links?: { name: string; url: string }[];
  /** Why nothing can be done, where there is more to say. */
  end?: Word;
};
type Contents = { rows: Partial<Record<Word, string | null>>; acts: Word[] | false };
type FindCtx = CallCtx & OutsideCtx & HmacCtx;

const order = {
  number: salesOrders.orderNumber,
  name: sql<string>`${salesOrders.customer} ->> '$.name'`,
  total: salesOrders.totalAmount,
  ...columnsNamed(salesOrders, "currency", "review_code", "needs_refund", "updated_at"),
  status: salesOrders.paymentStatus,
};
type OrderRow = JsonRow<typeof order>;

/** What a link opens, as it is now; null once it is gone. */
export async function findThing(ctx: FindCtx, target: Target, language: Language): Promise<Thing | null> {
  const { kind, id } = target;
  if (kind === "notice") return findNotice(ctx, target, language);
  const select = kind === "order" ? selectOrder(id) : selectFacts(kind, String(id));
  const [cells] = await read(ctx, [jsonQuery(ctx, select as SQL<{ updated_at: number }>)]);
  const [row] = parseRows(cells);
  if (row === undefined) return null;
  const { rows, acts } = await SHOWN[kind](row as never, language);
  return { title: kind, rows: Object.entries(rows), seen: row.updated_at, acts: acts || [] };
}

/** What the page of a kind shows, and what its press may do. */
const SHOWN = {
  lead: ({ person, text, number, status }: FactsOf["lead"]): Contents => ({
    rows: { number, ...person, text, status },
    acts: status === "new" && ["converted", "lost"],
  }),
  application: ({ person, job, number, status, resume }: FactsOf["application"]): Contents => ({
    rows: { number, job, ...person, status, resume },
    acts: status === "received" && ["in_review"],
  }),
  /** Money that waits is accepted by an invoice, where it can be made; what else is reviewed is done. No link gives money back. */
  async order(row: OrderRow, language: Language): Promise<Contents> {
    const { INVOICEABLE } = await import("#features/storefront");
    const { number, name, status, review_code: code } = row;
    const amount = moneyIn(language, row.total, row.currency);
    const reason = code ?? (row.needs_refund === 1 ? "needs_refund" : "");
    const waiting = INVOICEABLE.has(code) && (["invoice"] as Word[]);
    const acts = status === "review" ? waiting : code !== null && (["dismiss"] as Word[]);
    return { rows: { number, name, amount, status, reason }, acts };
  },
};

function selectOrder(id: number): SQL<OrderRow> {
  return sql`SELECT ${jsonObject(order)} AS snapshot FROM ${salesOrders} WHERE ${salesOrders.id} = ${id}`;
}

/** What an hourly notice counts, each with its own page; or how the accounts are that a notice is about. */
async function findNotice(
  ctx: FindCtx,
  { id, expiresAt }: Target,
  language: Language,
): Promise<Thing | null> {
  const [[notice], counted, accounts] = await read(ctx, [
    ctx.db.select({ rule: notifications.rule }).from(notifications).where(eq(notifications.id, id)),
    jsonQuery(ctx, selectCounted(id)),
    jsonQuery(ctx, selectAccounts()),
  ]);
  if (notice === undefined) return null;
  const title = notice.rule as Word;
  if (title === "payee_changed") {
    const wordsOf = (members: Account["members"]) => memberLines(members, language, ctx.company.timezone);
    return {
      title,
      rows: parseRows(accounts).map((one) => [`${one.setting} ${one.id}`, wordsOf(one.members).join(", ")]),
    };
  }
  const links = parseRows(counted).map(async ({ kind, id: record, name }) => ({
    name,
    url: await linkTo(ctx, kind as LinkKind, Number(record), expiresAt),
  }));
  return { title, links: await Promise.all(links) };
}

type Account = { setting: SettingName; id: string; members: Record<string, unknown> };

/** The SELECT of all that customers pay to. */
function selectAccounts(): SQL<Account> {
  const all = (Object.keys(SETTINGS) as SettingName[]).flatMap((setting) =>
    toldOf(setting)
      .filter(({ rule }) => rule === "payee_changed")
      .map(
        (told) => sql`SELECT json_object('setting', ${setting}, 'id', key, 'members', json(value)) AS snapshot
          FROM (${recordsOf({ ...told, secrets: [] })})`,
      ),
  );
  return sql`${sql.join(all, sql` UNION ALL `)}`;
}
