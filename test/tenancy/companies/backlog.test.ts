import { expect, test } from "vitest";
import { accepted, connect, newNumber, sendSms } from "../../features/messaging/provider.ts";
import { openCompany, platform, platformRead, randomSlug, type TestCompany } from "../../support/company.ts";

type CompanyBacklog = {
  slug: string;
  reachable: boolean;
  waiting: number;
  overdue: number;
  oldest_at: string | null;
  oldest_seconds: number | null;
  providers: { channel: string; paused_at: string | null; resting_until: string | null; waiting: number }[];
};
type Backlog = {
  queues: { name: string; jobs: number | null }[];
  housekeeping: { due: number };
  companies: CompanyBacklog[];
  next_after: string | null;
};

const backlog = (query: string) => platformRead<Backlog>(`/platform/backlog?${query}`);
const backlogOf = async ({ slug }: TestCompany) => (await backlog(`company=${slug}`)).companies;

test("a company with nothing that waits, and the queues, are shown", async () => {
  const company = await openCompany();
  const { queues, housekeeping, companies, next_after } = await backlog(`company=${company.slug}`);
  expect(companies).toEqual([
    {
      slug: company.slug,
      reachable: true,
      waiting: 0,
      overdue: 0,
      oldest_at: null,
      oldest_seconds: null,
      providers: [],
    },
  ]);
  expect(next_after).toBeNull();
  expect(queues.map(({ name, jobs }) => [name, typeof jobs])).toEqual([
    ["messages", "number"],
    ["housekeeping", "number"],
    ["deliveries", "number"],
    ["clock", "number"],
    ["notifications", "number"],
  ]);
  expect(housekeeping.due).toBeGreaterThanOrEqual(0);
});

test("what waits, since when, and for whom: a provider that is paused, or is left alone", async () => {
  const company = await openCompany();
  const { id } = await connect(company, "http-sms");
  const set = (column: string, value: number | null) =>
    company.rows(`UPDATE messaging_providers SET ${column} = ? WHERE id = ?`, value, id);
  const restsUntil = Date.now() + 3_600_000;
  await set("rests_until", restsUntil);
  for (const _ of [1, 2]) accepted(await sendSms(company, { to: newNumber() }));
  const late = Date.now() - 600_000;
  await company.rows(`UPDATE messages SET created_at = ${late} WHERE id = (SELECT max(id) FROM messages)`);
  await company.rows(`UPDATE message_recipients SET leased_until = ${late}
    WHERE message_id = (SELECT max(id) FROM messages)`);
  const [found] = await backlogOf(company);
  expect(found).toMatchObject({
    waiting: 2,
    overdue: 1,
    oldest_at: new Date(late).toISOString(),
    providers: [
      {
        id,
        channel: "sms",
        kind: "http",
        paused_at: null,
        resting_until: new Date(restsUntil).toISOString(),
        waiting: 2,
      },
    ],
  });
  expect(found?.oldest_seconds).toBeGreaterThanOrEqual(600);

  await set("rests_until", null);
  await set("paused_at", late);
  const [paused] = await backlogOf(company);
  expect(paused?.providers).toMatchObject([{ paused_at: new Date(late).toISOString(), resting_until: null }]);
});

test.each([503, 400])(
  "companies are shown in pages by their slugs, and one whose database answers %i stops none",
  async (status) => {
    const company = await openCompany();
    await company.faults({ kind: "status", status, times: 100 });
    const before = company.slug.slice(0, -1);
    const page = await backlog(`after=${before}`);
    expect(page.companies[0]).toMatchObject({ slug: company.slug, reachable: false, waiting: 0 });
    expect(page.companies.length).toBeLessThanOrEqual(20);
    if (page.next_after !== null) expect(page.next_after).toBe(page.companies.at(-1)?.slug);
    expect(page.companies.map(({ slug }) => slug)).toEqual(page.companies.map(({ slug }) => slug).toSorted());
  },
);

test("a company that is not there is 404", async () => {
  expect(await platform("GET", `/platform/backlog?company=${randomSlug()}`)).toMatchObject({
    status: 404,
    body: { code: "company_not_found" },
  });
});
