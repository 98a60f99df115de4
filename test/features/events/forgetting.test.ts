import { expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { newCustomer } from "../commerce.ts";
import { connectReceiver, ENDPOINTS, PATIENT } from "./endpoints.ts";

const DAY_S = 86_400;

test("the log of deliveries goes with its events, and an event that is still to be sent stays", async () => {
  const company = await openCompany();
  await company.clock(-40 * DAY_S);
  const { id, untilDeliveries } = await connectReceiver(company);
  const failing = await connectReceiver(company, { types: ["product.*"] });
  await newCustomer(company);
  await untilDeliveries({ state: "delivered" });
  // At once: the job that sent the first one takes what it finds.
  await company.database().batch(
    [
      "INSERT INTO events (type, resource, record_id) SELECT 'product.updated', 'product', '1' FROM events",
      `UPDATE events SET at = (SELECT max(at) FROM events), request_id = (SELECT max(request_id) FROM events), shape = 0
        WHERE request_id IS NULL`,
      "UPDATE event_deliveries SET due_at = 9000000000000, look_at = 9000000000000 WHERE state = 'pending'",
    ],
    "write",
  );
  await company.clock(0);
  await company.sweep(async () => (await company.rows("SELECT 1 FROM event_attempts")).length === 0);
  await expect
    .poll(() => company.rows("SELECT type FROM events"), PATIENT)
    .toEqual([{ type: "product.updated" }]);
  await expectSound(company);
  for (const one of [id, failing.id]) await company.change(`${ENDPOINTS}/${one}`, { is_active: false });
  await company.sweep(async () => (await company.rows("SELECT 1 FROM events")).length === 0);
  expect(await company.rows("SELECT 1 FROM event_deliveries")).toEqual([]);
});

test("what is erased of a person is erased of its events, of what is still to be sent, and of what was answered", async () => {
  const company = await openCompany();
  await company.clock(-2 * DAY_S);
  const { receiver, untilDeliveries } = await connectReceiver(company, { types: ["lead.*"] });
  await receiver.answers({ always: { status: 500, body: "meera@example.com is not known" } });
  const body = { source: "website", name: "Meera", email: "meera@example.com" };
  must(await company.call("POST", "/leads/:company/capture", { body }), 200);
  await untilDeliveries({ attempt_count: 1, state: "pending" });
  await company.change("/settings/:company/lead-settings", { retention_days: 1 });
  await receiver.answers({});
  await company.rows("UPDATE event_deliveries SET due_at = 9000000000000, look_at = 9000000000000");
  await company.clock(0);
  await company.sweep(async () => (await company.rows("SELECT 1 FROM leads")).length === 0);
  const excerpts = await company.rows("SELECT response_excerpt FROM event_attempts");
  expect(excerpts).toEqual([{ response_excerpt: "" }]);
  expect(await company.rows("SELECT 1 FROM events WHERE snapshot LIKE '%meera%'")).toEqual([]);
  await company.rows("UPDATE event_deliveries SET due_at = 0, look_at = 0");
  await company.clock(1);
  await untilDeliveries({ state: "delivered" });
  expect((await receiver.events()).at(-1)).toMatchObject({ data: { id: 1 }, data_omitted: true });
}, 120_000);
