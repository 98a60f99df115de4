import { expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { newCustomer } from "../commerce.ts";
import { eventsOf, typesOf } from "./events.ts";

const DAY_S = 86_400;
const PATIENT = { timeout: 60_000, interval: 100 };

test("an event that nothing stamped is given out without its record, and the self-check names it", async () => {
  const company = await openCompany();
  await newCustomer(company);
  await company.rows("UPDATE customers SET name = 'By hand'");
  await expect(expectSound(company)).rejects.toThrow();
  await company.startSweep();
  await expect.poll(() => typesOf(company), PATIENT).toEqual(["customer.created", "customer.updated"]);
  const [late] = await eventsOf(company);
  expect(late).toMatchObject({ data: { id: "1" }, data_omitted: true, actor: null });
});

test("a record above 256 kB is omitted", async () => {
  const company = await openCompany();
  await newCustomer(company);
  await company.rows("UPDATE events SET snapshot = json_set(snapshot, '$.notes', hex(zeroblob(200000)))");
  expect((await eventsOf(company))[0]).toMatchObject({ data: { id: "1" }, data_omitted: true });
});

test("what is erased of a person is erased of its events: of a lead and of its repetition", async () => {
  const company = await openCompany();
  await company.clock(-2 * DAY_S);
  const body = { source: "website", name: "Meera", email: "meera@example.com" };
  must(await company.call("POST", "/leads/:company/capture", { body }), 200);
  expect((await eventsOf(company))[0]?.data).toMatchObject({ email: "meera@example.com" });
  must(await company.call("PATCH", "/settings/:company/lead-settings", { body: { retention_days: 1 } }), 200);
  await company.clock(0);
  await company.sweep(async () => (await company.rows("SELECT 1 FROM leads")).length === 0);
  const events = await eventsOf(company);
  expect(events).toMatchObject([{ type: "lead.captured", data: { id: 1 }, data_omitted: true }]);
  expect(await company.rows("SELECT 1 FROM events WHERE snapshot LIKE '%meera%'")).toEqual([]);
});
