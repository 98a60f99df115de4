import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { rowsOf } from "../commerce.ts";
import { deliver, openShop } from "../storefront/shop.ts";
import { refundEvent } from "./refunds.ts";

type Check = { open: { invariant: string }[] };
type Report = { id: string; gateway_refund_id: string; amount: number; state: string };

test("staff end the review of a report that fits nothing, with what came of the same refund, once", async () => {
  const { company, connected } = await openShop();
  const open = async () =>
    must(await company.call<Check>("GET", "/ledger/:company/self-check"), 200).body.data.open;
  const list = async () =>
    must(await company.call<Report[]>("GET", "/refunds/:company/reports"), 200).body.data;
  const refund = { amount: 900, payment_id: "pay_Strange" };
  for (const [id, status] of [
    ...[
      ["rfnd_Strange", "pending"],
      ["rfnd_Strange", "processed"],
    ],
    ["rfnd_Other", "processed"],
  ])
    must(await deliver(company, connected, refundEvent({ ...refund, id, status })), 200);
  const [other, strange] = await list();
  expect(other).toMatchObject({ gateway_refund_id: "rfnd_Other" });
  expect(strange).toMatchObject({ gateway_refund_id: "rfnd_Strange", amount: 9, state: "succeeded" });
  expect(await open()).toHaveLength(1);
  const path = `/refunds/:company/reports/${strange?.id}/dismiss`;
  const headers = { "Idempotency-Key": "dismiss-once" };
  const dismiss = (note: string, sent = {}) => company.call("POST", path, { body: { note }, headers: sent });
  expect(await dismiss("")).toMatchObject({ status: 422, body: { errors: [{ field: "note" }] } });
  const first = must(await dismiss("Of the old shop", headers), 200);
  expect(first.body.data).toMatchObject({ id: strange?.id, dismissed_at: expect.any(String) });
  expect((await dismiss("Of the old shop", headers)).body).toEqual(first.body);
  expect(await dismiss("Again")).toMatchObject({ status: 409, body: { code: "invalid_status" } });
  const left = (await list()).map(({ gateway_refund_id: id }) => id);
  expect(left).toContain("rfnd_Other");
  expect(left).not.toContain("rfnd_Strange");
  const [audited] = await rowsOf(company, "SELECT action, note FROM audit_log ORDER BY id DESC LIMIT 1");
  expect(audited).toEqual({ action: "dismissRefundReport", note: "Of the old shop" });
  expect(
    await company.call("POST", "/refunds/:company/reports/999/dismiss", { body: { note: "x" } }),
  ).toMatchObject({ status: 404 });
  for (const { id } of await list())
    must(await company.call("POST", `/refunds/:company/reports/${id}/dismiss`, { body: { note: "x" } }), 200);
  expect(await open()).toEqual([]);
  await expectSound(company);
});
