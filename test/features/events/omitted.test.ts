import { expect, test } from "vitest";
import { openCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { newCustomer } from "../commerce.ts";
import { eventsOf, typesOf } from "./events.ts";

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
