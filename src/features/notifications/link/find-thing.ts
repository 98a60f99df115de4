import { eq, type SQL, sql } from "drizzle-orm";
import type { CallCtx, HmacCtx, OutsideCtx } from "#core/context.ts";
import { type JsonRow, jsonObject, jsonQuery, parseRows } from "#core/sql/json.ts";
import { read } from "#core/write/replay.ts";
import { recordsOf } from "#core/write/setting-changes.ts";
import { INVOICEABLE } from "#features/storefront";
import { SETTINGS, type SettingName, toldOf } from "#shared/settings.ts";
import type { Language } from "#shared/text/language.ts";
import { salesOrders } from "#tables/storefront";
import type { FactsOf } from "../send/facts.ts";
import { selectCounted, selectFacts } from "../send/find-due.ts";
import { moneyIn } from "../send/formats.ts";
import { memberLines } from "../send/told.ts";
import { notifications } from "../tables.ts";
import { type LinkKind, linkTo, type Target } from "./link.ts";
import type { Act, Words } from "./words.ts";

/** What a page shows of its one thing, and what one press may do to it. */
export type Thing = {
  title: keyof Words["titles"];
  rows: Partial<Record<keyof Words["labels"], string | null>>;
  /** When it last changed: an act on another state is refused. */
  seen?: number;
  acts: readonly Act[];
  /** Of a notice: the pages of what it counts, or the settings as they are. */
  links?: { name: string; url: string }[];
  settings?: { name: string; value: string }[];
};
type FindCtx = CallCtx & OutsideCtx & HmacCtx;

const order = {
  number: salesOrders.orderNumber,
  name: sql<string>`${salesOrders.customer} ->> '$.name'`,
  total: salesOrders.totalAmount,
  currency: salesOrders.currency,
  payment_status: salesOrders.paymentStatus,
  review_code: salesOrders.reviewCode,
  needs_refund: salesOrders.needsRefund,
  updated_at: salesOrders.updatedAt,
};

/** What a link opens, as it is now; undefined once it is gone. */
export function findThing(ctx: FindCtx, target: Target, language: Language): Promise<Thing | undefined> {
  const one = async <Row>(select: SQL<Row>, thingOf: (row: Row) => Thing) => {
    const [cells] = await read(ctx, [jsonQuery(ctx, select)]);
    const [row] = parseRows(cells);
    return row && thingOf(row);
  };
  const facts = selectFacts(target.kind, String(target.id));
  switch (target.kind) {
    case "lead":
      return one(facts as SQL<FactsOf["lead"]>, leadThing);
    case "application":
      return one(facts as SQL<FactsOf["application"]>, applicationThing);
    case "order": {
      const select = sql<JsonRow<typeof order>>`SELECT ${jsonObject(order)} AS snapshot
        FROM ${salesOrders} WHERE ${salesOrders.id} = ${target.id}`;
      return one(select, (row) => orderThing(row, language));
    }
    case "notice":
      return findNotice(ctx, target, language);
  }
}

function leadThing({ person, text, number, status, updated_at: seen }: FactsOf["lead"]): Thing {
  const rows = { number, ...person, text, status };
  return { title: "lead", rows, seen, acts: status === "new" ? ["converted", "lost"] : [] };
}

function applicationThing(row: FactsOf["application"]): Thing {
  const { person, job, number, status, resume, updated_at: seen } = row;
  const rows = { number, job, ...person, status, resume };
  return { title: "application", rows, seen, acts: status === "received" ? ["in_review"] : [] };
}

/** Money that waits is accepted by an invoice, where it can be made; what else is reviewed is done. No link gives money back. */
function orderThing(row: JsonRow<typeof order>, language: Language): Thing {
  const { number, name, payment_status: status, review_code: code, updated_at: seen } = row;
  const amount = moneyIn(language, row.total, row.currency);
  const reason = code ?? (row.needs_refund === 1 ? "needs_refund" : "");
  const waiting = status === "review" && INVOICEABLE.has(code) ? (["invoice"] as const) : [];
  const acts = status !== "review" && code !== null ? (["dismiss"] as const) : waiting;
  return { title: "order", rows: { number, name, amount, status, reason }, seen, acts };
}

/** What an hourly notice counts, each with its own page; or how the accounts are that a notice is about. */
async function findNotice(ctx: FindCtx, target: Target, language: Language): Promise<Thing | undefined> {
  const [[notice], counted, accounts] = await read(ctx, [
    ctx.db.select({ rule: notifications.rule }).from(notifications).where(eq(notifications.id, target.id)),
    jsonQuery(ctx, selectCounted(target.id)),
    jsonQuery(ctx, selectAccounts()),
  ]);
  if (notice === undefined) return undefined;
  const thing = { title: notice.rule as Thing["title"], rows: {}, acts: [] };
  if (notice.rule === "payee_changed") {
    const settings = parseRows(accounts).map(({ setting, id, members }) => ({
      name: `${setting} ${id}`,
      value: memberLines(members, language, ctx.company.timezone).join(", "),
    }));
    return { ...thing, settings };
  }
  const links = parseRows(counted).map(async ({ kind, id, name }) => {
    const url = await linkTo(ctx, { kind: kind as LinkKind, id: Number(id), expiresAt: target.expiresAt });
    return { name, url };
  });
  return { ...thing, links: await Promise.all(links) };
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
