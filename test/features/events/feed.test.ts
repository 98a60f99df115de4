import { expect, test } from "vitest";
import { type Call, must, openBusy, openCompany, type TestCompany } from "../../support/company.ts";
import { requestsOf } from "../../support/round-trips.ts";
import { customerBody, newCustomer } from "../commerce.ts";
import { refusal, wrongField } from "../refusal.ts";
import type { EventRecord } from "./events.ts";

type Page = { events: EventRecord[]; next_after: number; has_more: boolean; head: number; epoch: string };
type Place = { after: number; epoch: string };

const FEED = "/events/:company";
// More by hand: FEED_EVENTS=100000.
const COUNT = Number(process.env.FEED_EVENTS ?? 10_000);

const ask = (company: TestCompany, query: object, call: Call = {}) =>
  company.call<Page>("GET", `${FEED}?${new URLSearchParams(query as Record<string, string>)}`, call);

async function pageOf(company: TestCompany, query: object = {}, call: Call = {}): Promise<Page> {
  return must(await ask(company, query, call), 200).body.data;
}

async function beginningOf(company: TestCompany): Promise<Place> {
  return { after: 0, epoch: (await pageOf(company)).epoch };
}

const sequencesOf = ({ events }: Page) => events.map(({ sequence }) => sequence);

/** Writes events of a product as a batch would; those of `unstamped` products are left without a stamp. */
async function addEvents(company: TestCompany, count: number, unstamped: number[] = []): Promise<void> {
  await company.database().batch(
    [
      {
        sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
          INSERT INTO events (type, resource, record_id) SELECT 'product.updated', 'product', i FROM n`,
        args: [count],
      },
      {
        sql: `UPDATE events SET at = 1, request_id = 'by hand', shape = 1 WHERE request_id IS NULL
          AND record_id NOT IN (SELECT value FROM json_each(?))`,
        args: [JSON.stringify(unstamped.map(String))],
      },
    ],
    "write",
  );
}

/** Reads the feed page by page until `isDone` and its end, and is killed now and then before it keeps a page; what it kept. */
async function follow(company: TestCompany, filter: object, isDone: () => boolean): Promise<number[]> {
  const read: number[] = [];
  let place = await beginningOf(company);
  for (let asked = 1; ; asked += 1) {
    const wasDone = isDone();
    const page = await pageOf(company, { ...filter, ...place, limit: 100 });
    if (asked % 10 === 0) continue;
    read.push(...sequencesOf(page));
    place = { after: page.next_after, epoch: page.epoch };
    if (wasDone && !page.has_more) return read;
  }
}

test(`${COUNT} events are read exactly once each, in order, while others are written and connections are cut`, {
  timeout: 120_000 + COUNT * 12,
}, async () => {
  const company = await openBusy();
  let writing = 3;
  const done = () => writing === 0;
  const many = async () => {
    for (let left = COUNT * 0.98; left > 0; left -= 490) await addEvents(company, Math.min(left, 490));
    writing -= 1;
  };
  const single = async () => {
    for (let one = 0; one < COUNT / 100; one += 1) {
      const signal = AbortSignal.timeout(one % 4 === 0 ? one % 32 : 60_000);
      await company
        .call("POST", "/customers/:company", { body: customerBody, signal })
        .catch(() => undefined);
    }
    writing -= 1;
  };
  const [all, customers] = await Promise.all([
    follow(company, {}, done),
    follow(company, { type: "customer.*" }, done),
    many(),
    single(),
    single(),
  ]);
  const stored = await company.rows("SELECT sequence, type FROM events ORDER BY sequence");
  expect(stored.length).toBeGreaterThan(COUNT * 0.99);
  expect(all).toEqual(stored.map(({ sequence }) => sequence));
  const ofCustomers = stored.filter(({ type }) => type === "customer.created");
  expect(customers).toEqual(ofCustomers.map(({ sequence }) => sequence));
});

test("without `after` it says where the feed ends, and from there on it has what comes later", async () => {
  const company = await openCompany();
  await newCustomer(company);
  const begun = await pageOf(company);
  const epoch = expect.stringMatching(/^[0-9a-f]{24}$/);
  expect(begun).toEqual({ events: [], next_after: 1, has_more: false, head: 1, epoch });
  expect((await pageOf(await openCompany())).epoch).not.toBe(begun.epoch);
  await newCustomer(company);
  const page = await pageOf(company, { after: begun.next_after, epoch: begun.epoch });
  const created = { sequence: 2, type: "customer.created", data: { id: "2" } };
  expect(page).toMatchObject({ ...begun, events: [created], next_after: 2, head: 2 });
});

test("an event that a batch left unstamped, and all behind it, wait until it is stamped", async () => {
  const company = await openCompany();
  const place = await beginningOf(company);
  await addEvents(company, 5, [3]);
  const page = await pageOf(company, place);
  expect(sequencesOf(page)).toEqual([1, 2]);
  expect(page).toMatchObject({ next_after: 2, has_more: false, head: 2 });
  await addEvents(company, 1);
  expect(sequencesOf(await pageOf(company, { ...place, after: 2 }))).toEqual([3, 4, 5, 6]);
});

test("a page that leaves out many events says how far it looked, and skips none of its type", async () => {
  const company = await openCompany();
  const place = await beginningOf(company);
  await addEvents(company, 6_000);
  await newCustomer(company);
  const filter = { type: "customer.created,customer.updated" };
  const first = await pageOf(company, { ...place, ...filter });
  expect(first).toMatchObject({ events: [], next_after: 5_000, has_more: true, head: 6_001 });
  const second = await pageOf(company, { ...place, ...filter, after: 5_000 });
  expect(sequencesOf(second)).toEqual([6_001]);
  expect(second).toMatchObject({ next_after: 6_001, has_more: false });
});

test("a page of large records holds as many as fit in one read, and the next one goes on behind them", async () => {
  const company = await openCompany();
  const place = await beginningOf(company);
  await newCustomer(company);
  await addEvents(company, 39);
  await company.rows(`UPDATE events SET resource = 'customer', shape = first.shape, snapshot = large
    FROM (SELECT shape, json_set(snapshot, '$.notes', hex(zeroblob(100000))) AS large FROM events WHERE sequence = 1) AS first`);
  const pages: Page[] = [];
  for (let after = 0; after < 40; after = pages.at(-1)?.next_after ?? 40) {
    let page: Page | undefined;
    const asked = await requestsOf(company, async () => {
      page = await pageOf(company, { ...place, after, limit: 100 });
    });
    expect(asked).toBe(1);
    if (page !== undefined) pages.push(page);
  }
  const held = pages.map((page) => [page.events.length, page.has_more]);
  expect(held).toEqual([...[19, 19].map((length) => [length, true]), [2, false]]);
  expect(pages.flatMap(sequencesOf)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  expect(pages.flatMap(({ events }) => events).filter((event) => event.data_omitted)).toEqual([]);
});

test("what is no longer kept is 410 `events_expired`, with the oldest sequence that can be followed to", async () => {
  const company = await openCompany();
  const place = await beginningOf(company);
  await addEvents(company, 6);
  // The fifth waits to be sent to an endpoint, and so outlives the sixth.
  await company.rows("DELETE FROM events WHERE sequence IN (1, 2, 3, 4)");
  expect(await ask(company, { ...place, after: 3 })).toMatchObject(
    refusal(410, "events_expired", { oldest_sequence: 5 }),
  );
  expect(sequencesOf(await pageOf(company, { ...place, after: 4 }))).toEqual([5, 6]);
  await company.rows("DELETE FROM events WHERE sequence = 6");
  expect(await ask(company, { ...place, after: 5 })).toMatchObject(
    refusal(410, "events_expired", { oldest_sequence: 7 }),
  );
  expect(await pageOf(company, { ...place, after: 6 })).toMatchObject({ next_after: 6, head: 6 });
});

test("`after` and `epoch` go together: an epoch of before a restore is 410 `feed_restarted`", async () => {
  const company = await openCompany();
  await newCustomer(company);
  const { epoch } = await beginningOf(company);
  expect(await ask(company, { after: 1 })).toMatchObject(wrongField("epoch", "required"));
  expect(await ask(company, { epoch })).toMatchObject(wrongField("after", "required"));
  expect(await ask(company, { after: 2, epoch })).toMatchObject(refusal(410, "feed_restarted"));
  expect(await ask(company, { after: 1, epoch: "of-before" })).toMatchObject(refusal(410, "feed_restarted"));
});

test("it has the events that the key may read, and goes on behind the others", async () => {
  const company = await openCompany();
  const place = await beginningOf(company);
  await newCustomer(company);
  await addEvents(company, 2);
  const call = { key: await company.key("events:read", "customers:read") };
  const page = await pageOf(company, place, call);
  expect(sequencesOf(page)).toEqual([1]);
  expect(page).toMatchObject({ next_after: 3, has_more: false });
});
