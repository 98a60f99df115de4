import { expect, test } from "vitest";
import { CASH, today } from "../../features/money.ts";
import { newBoard } from "../../features/projects/board.ts";
import { openShop, shopper } from "../../features/storefront/shop.ts";
import { Draw, SEED } from "../../simulator/draw.ts";
import { expectSelfCheckSound, resume, suspend, useCommandLine } from "../backup/command.ts";
import { type Call, type Kind, listed, newSync, type OldSystem, type Row } from "./program.ts";

// SYNC_KILLS=1000 makes 2,000 records.
const KILLS = Number(process.env.SYNC_KILLS ?? 100);
const [MOST_CALLS, MOST_MS] = [70, 30];
const { done } = useCommandLine();
const draw = new Draw(SEED);

class Killed extends Error {}

const { company } = await openShop();
await company.raiseLimit();
const items = `/projects/:company/projects/${(await newBoard(company)).id}/work-items`;
const site = { return_url: "https://shop.example.com/thanks", cancel_url: "https://shop.example.com/basket" };
const KINDS: Record<string, Kind> = {
  customer: { path: "/customers/:company", isPut: true },
  product: { path: "/products/:company", isPut: true },
  work_item: { path: items, isPut: true },
  lead: { path: "/leads/:company/capture", list: "/settings/:company/leads" },
  order: { path: "/storefront/:company/checkout", list: "/orders/:company", beside: site },
  invoice: { path: "/invoices/:company", of: "customer_id" },
  payment: { path: "/payments/:company", of: "invoice_id" },
};
const PLACE = { state: "Karnataka", pincode: "560001" };
const card = { name: "Gift card", quantity: 1, unit_price: 100 };
const balance = { item_name: "Balance", quantity: 1, unit: "NOS", unit_price: 50, tax_rate: 0 };
/** What the old system says of a record of each kind; the first member is its name. */
const SAID: Record<string, (n: number) => Record<string, unknown>> = {
  customer: (n) => ({ name: `Customer ${n}`, ...PLACE }),
  product: (n) => ({ name: `Product ${n}`, unit_id: "1", selling_price: n }),
  work_item: (n) => ({ title: `Item ${n}` }),
  lead: (n) => ({ name: `Lead ${n}`, email: `lead-${n}@mail.example` }),
  order: (n) => ({
    ...{ notes: `Order ${n}`, items: [card], currency: "INR", source_website: "shop.example.com" },
    customer: { ...shopper, email: `buyer-${n}@mail.example` },
  }),
  invoice: (n) => ({ reference_number: `OLD/${n}`, items: [balance] }),
  payment: (n) => ({ reference_number: `R-${n}`, amount: 1, payment_date: today(), payment_mode_id: CASH }),
};
/** What staff do with one of the newest records of a kind. */
const STAFF: [method: string, path: string, verb: string, body?: (word: string) => object][] = [
  ["POST", "/customers/:company", "", (name) => ({ name, ...PLACE })],
  ["PATCH", "/customers/:company", "/ID", (notes) => ({ notes })],
  ["DELETE", "/customers/:company", "/ID"],
  ["PATCH", "/products/:company", "/ID", (description) => ({ description })],
  ["POST", items, "/ID/transition", (state) => ({ state, state_category: "in_progress" })],
  ["POST", "/settings/:company/leads", "/ID/close", () => ({ status: "lost" })],
  ["POST", "/orders/:company", "/ID/resolve", () => ({ action: "cancel" })],
  ["POST", "/invoices/:company", "/ID/void"],
  ["POST", "/payments/:company", "/ID/refund"],
];

const old: OldSystem = { own: new Map(), rows: new Map() };
let count = 0;
/** So often the old system makes a record and changes another one, and staff change something at the service. */
async function change(many: number): Promise<void> {
  for (const until = count + many; count < until; ) {
    count += 1;
    const all = [...old.own.values()];
    const changed = draw.one(all.filter(({ kind }) => KINDS[kind]?.isPut));
    if (changed !== undefined) changed.said = SAID[changed.kind]?.(count + 0.5) ?? {};
    const kind = draw.one(Object.keys(KINDS)) ?? "";
    const of = KINDS[kind]?.of?.replace("_id", "");
    const names = draw.one(all.filter((one) => one.kind === of && !one.isGone))?.id;
    const id = `${kind}/${count}`;
    if (!of || names) old.own.set(id, { id, kind, said: SAID[kind]?.(count) ?? {}, names });

    const [method, path, verb, body] = draw.one(STAFF) ?? expect.fail();
    const one = draw.one(await company.read<Row[]>(`${path}?limit=100`));
    if (one === undefined) continue;
    const sent = body === undefined ? {} : { body: body(`Said ${count}`) };
    const { status, text } = await company.call(method, path + verb.replace("ID", String(one.id)), sent);
    expect([200, 201, 404, 409], text).toContain(status);
  }
}

/** Begins the program, which is killed at its n-th call: before that is sent, on its way, or before its answer is read. */
function begin(last = Number.POSITIVE_INFINITY) {
  let calls = 0;
  const call: Call = async (method, path, body) => {
    calls += 1;
    const sent = body === undefined ? {} : { body };
    if (calls < last) return company.call(method, path, sent);
    const signal = AbortSignal.timeout(draw.oneIn(2) ? 60_000 : draw.below(MOST_MS));
    if (!draw.oneIn(3)) await company.call(method, path, { ...sent, signal }).catch(() => undefined);
    throw new Killed();
  };
  return newSync(KINDS, old, call);
}

async function runs(many: number): Promise<void> {
  for (let run = 0; run < many; run += 1) {
    const program = begin(draw.from(1, MOST_CALLS)).run(() => false);
    await Promise.all([expect(program).rejects.toThrow(Killed), change(2)]);
  }
}

/** Checks that each side has what the other has, member by member, and nothing twice. */
async function expectSame(): Promise<void> {
  const keys: string[] = [];
  for (const [kind, one] of Object.entries(KINDS)) {
    const rows = await listed((method, path) => company.call(method, path), one);
    const names = rows.flatMap((row) => row[Object.keys(SAID[kind]?.(1) ?? {})[0] ?? ""] ?? []);
    expect(names.length, kind).toBe(new Set(names).size);
    // The payments that were started for an order run out without an event.
    for (const { payments: _, ...row } of rows) {
      keys.push(`${kind}/${row.id}`);
      expect(old.rows.get(`${kind}/${row.id}`)).toMatchObject(row);
      expect(row).toMatchObject(old.own.get(row.external_id ?? "")?.said ?? { external_id: null });
    }
    const kept = [...old.own.values()].filter((own) => own.kind === kind && !own.isGone);
    const ids = rows.flatMap((row) => row.external_id ?? []);
    expect(ids.toSorted()).toEqual(kept.map(({ id }) => id).toSorted());
  }
  expect([...old.rows.keys()].toSorted()).toEqual(keys.toSorted());
  await expectSelfCheckSound(company);
}

test(`a sync that is killed ${KILLS} times and remembers nothing doubles, misses and leaves stale nothing (seed ${SEED})`, {
  timeout: 300_000 + KILLS * 6_000,
}, async () => {
  await runs(KILLS / 2);
  await done("backup", company.slug, "sync.backup");
  await runs(KILLS / 4);
  let quiet = 0;
  await begin().run(async () => {
    quiet += 1;
    if (quiet > 1) return true;
    await suspend(company);
    await done("restore", "sync.backup", "--into", company.slug);
    await resume(company);
    return false;
  });
  await expectSame();

  await runs(KILLS / 4);
  await company.clock(3 * 86_400);
  const changing = change(KILLS / 10);
  let isStill = false;
  const last = begin();
  await Promise.all([last.run(() => isStill), changing.finally(() => (isStill = true))]);
  expect(await last.push(true)).toBeGreaterThan(0);
  await last.run(() => true);
  await expectSame();
});
