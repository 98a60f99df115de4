import { expect, test } from "vitest";
import { must, openBusy, openCompany } from "../../support/company.ts";
import { pdf } from "../../support/documents.ts";
import { expectSound, rowCounts } from "../../support/oracles.ts";
import { pagesOf } from "../../support/pages.ts";
import { refusal } from "../refusal.ts";
import { captured, LEADS, post, postForm, readLead } from "./leads.ts";

const DAY = 86_400;
const SOURCES = "/settings/:company/lead-sources";
const SEEDED = [
  "website",
  "landing_page",
  "referral",
  "social_media",
  "search_ads",
  "email_campaign",
  "phone",
  "walk_in",
  "event",
  "partner",
  "marketplace",
  "other",
];

test("lead sources are those that every company starts with, and its own", async () => {
  const company = await openCompany();
  const offered = async () =>
    (await company.read<{ slug: string }[]>("/leads/:company/sources")).map(({ slug }) => slug);
  expect(await offered()).toEqual(SEEDED);
  const body = { slug: "trade_fair", name: "Trade fair" };
  const { id } = await company.make<{ id: number }>(SOURCES, body);
  await captured(company, { source: "trade_fair" });
  await company.change(`${SOURCES}/${id}`, { is_active: false });
  expect(await offered()).toEqual(SEEDED);
  const late = must(await post(company, { source: "trade_fair" }), 200);
  expect(late.body.data).toMatchObject({ warnings: [{ field: "source", code: "kept_in_metadata" }] });
  expect(await company.call("POST", SOURCES, { body })).toMatchObject(refusal(409, "conflict"));
  must(await company.call("DELETE", `${SOURCES}/${id}`), 200);
  expect((await readLead(company, 1)).source).toBe("trade_fair");
});

test("leads are found by their status and their source", async () => {
  const company = await openCompany();
  for (const [n, source] of ["website", "phone", "phone"].entries())
    await captured(company, { email: `a${n}@mail.example`, source });
  must(await company.call("POST", `${LEADS}/2/close`, { body: { status: "lost" } }), 200);
  const found = async (query: string) =>
    (await company.read<{ id: number }[]>(LEADS + query)).map(({ id }) => id);
  expect(await found("")).toEqual([3, 2, 1]);
  expect(await found("?status=new")).toEqual([3, 1]);
  expect(await found("?source=phone")).toEqual([3, 2]);
  expect(await found("?source=phone&status=lost")).toEqual([2]);
  expect((await company.call("GET", `${LEADS}?status=x`)).status).toBe(422);
});

test("a lead shows its newest hundred submissions; all of them are listed by pages", async () => {
  const company = await openBusy();
  for (let n = 0; n < 105; n += 1) await captured(company, { message: `No ${n}` });
  const { submissions } = await readLead(company, 1);
  expect(submissions).toHaveLength(100);
  expect(submissions[0]?.fields.message).toBe("No 104");
  const [, rest] = await pagesOf<{ id: number }>(company, `${LEADS}/1/submissions`, { limit: "100" });
  expect(rest?.map(({ id }) => id)).toEqual([5, 4, 3, 2, 1]);
});

test("leads are erased with their files once they were silent for longer than the company keeps them", async () => {
  const company = await openCompany();
  await company.change("/settings/:company/lead-settings", { retention_days: 30 });
  must(await postForm(company, [["attachment", pdf(), "a.pdf"]]), 200);
  await captured(company, { email: "again@mail.example" });
  await company.clock(20 * DAY);
  await captured(company, { email: "again@mail.example" });
  await company.clock(31 * DAY);
  await company.sweep(async () => (await rowCounts(company)).leads === 1);
  expect(await company.files("leads")).toEqual([]);
  expect((await company.call("GET", `${LEADS}/1`)).status).toBe(404);
  expect(await readLead(company, 2)).toMatchObject({ submission_count: 2, submissions: [{}, {}] });
  const { body } = await company.call<object[]>("GET", "/settings/:company/audit-log?limit=1");
  expect(body.data).toMatchObject([{ action: "eraseLead", record: "1" }]);
  await expectSound(company);
});

test("the audit log has a lead's id and nothing of its contents", async () => {
  const company = await openCompany();
  await captured(company, { name: "Findable", email: "findable@mail.example", message: "Findable" });
  const { body, text } = must(await company.call("GET", "/settings/:company/audit-log"), 200);
  expect(body.data).toMatchObject([{ action: "captureLead", record: "1" }]);
  expect(text.toLowerCase()).not.toContain("findable");
});
