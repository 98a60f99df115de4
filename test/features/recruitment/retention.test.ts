import { expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { expectSound, rowCounts } from "../../support/oracles.ts";
import { APPLICATIONS, applied, apply, newJob } from "../hiring.ts";

const DAY = 86_400;
const SETTINGS = "/settings/:company/recruitment-settings";

test("applications are erased with their resumes once they are older than the company keeps them", async () => {
  const company = await openCompany();
  const { slug } = await newJob(company);
  const old = await applied(company, slug, { email: "old@mail.example" });
  await company.clock(20 * DAY);
  const young = await applied(company, slug, { email: "young@mail.example" });
  const kept = await company.files("resumes");

  await company.clock(31 * DAY);
  await company.sweep(async () => Number((await rowCounts(company)).operations) < 4);
  expect(await company.files("resumes")).toEqual(kept);

  await company.change(SETTINGS, { retention_days: 30 });
  await company.sweep(async () => (await company.files("resumes")).length === 1);
  await expect.poll(async () => (await rowCounts(company)).applications).toBe(1);
  expect((await company.call("GET", `${APPLICATIONS}/${old.id}`)).status).toBe(404);
  expect((await company.call("GET", `${APPLICATIONS}/${old.id}/resume`)).status).toBe(404);
  await company.read(`${APPLICATIONS}/${young.id}/resume`);
  expect(await company.read("/settings/:company/audit-log?limit=1")).toMatchObject([
    { actor: "housekeep", action: "eraseApplication", record: String(old.id) },
  ]);
  must(await apply(company, slug, { email: "old@mail.example" }), 201);
  await expectSound(company);
});

test("the setting is a whole number of days, or null for keeping", async () => {
  const company = await openCompany();
  expect(await company.read(SETTINGS)).toEqual({ retention_days: null });
  for (const retention_days of [0, -1, 1.5, 36_501, "30"])
    expect((await company.call("PATCH", SETTINGS, { body: { retention_days } })).status).toBe(422);
  await company.change(SETTINGS, { retention_days: 1 });
  await company.change(SETTINGS, { retention_days: null });
  expect(await company.read(SETTINGS)).toEqual({ retention_days: null });
});

test("an application is found by its job and its status, and moved", async () => {
  const company = await openCompany();
  const [one, other] = [await newJob(company, { title: "One" }), await newJob(company, { title: "Other" })];
  const first = await applied(company, one.slug);
  const second = await applied(company, one.slug);
  const third = await applied(company, other.slug);
  expect(await company.change(`${APPLICATIONS}/${second.id}`, { status: "interview" })).toMatchObject({
    id: second.id,
    status: "interview",
  });
  const found = async (query: string) =>
    (await company.read<{ id: number }[]>(APPLICATIONS + query)).map(({ id }) => id);
  expect(await found("")).toEqual([third.id, second.id, first.id]);
  expect(await found(`?job_id=${one.id}`)).toEqual([second.id, first.id]);
  expect(await found("?status=interview")).toEqual([second.id]);
  expect(await found(`?job_id=${one.id}&status=received`)).toEqual([first.id]);
  expect((await company.call("GET", `${APPLICATIONS}?status=x`)).status).toBe(422);
  expect((await company.call("PATCH", `${APPLICATIONS}/${first.id}`, { body: { status: "x" } })).status).toBe(
    422,
  );
});
