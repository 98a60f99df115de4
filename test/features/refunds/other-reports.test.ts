import { expect, test } from "vitest";
import { must, type TestCompany } from "../../support/company.ts";
import { connectGateway } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { rowsOf } from "../commerce.ts";
import { deliver, openShop } from "../storefront/shop.ts";
import { getRefund, newRefund, paidOrder, refundEvent, refundsOf } from "./refunds.ts";

type Check = { open: { invariant: string }[] };

const UNKNOWN =
  "every refund that a gateway reports is of a payment that is known, in its currency and amount";

async function openOf(company: TestCompany): Promise<string[]> {
  const answer = await company.call<Check>("GET", "/ledger/:company/self-check");
  return must(answer, 200).body.data.open.map(({ invariant }) => invariant);
}

test("one that names another payment than the refund's own is stored, changes nothing, and is open", async () => {
  const shop = await openShop();
  const { company, connected } = shop;
  const { captureId, paymentId } = await paidOrder(shop);
  const other = await paidOrder(shop);
  const sent = await newRefund(company, { capture_id: captureId, amount: 10 });
  const [row] = await rowsOf(company, "SELECT key FROM gateway_refunds WHERE id = ?", [Number(sent.id)]);
  const before = await rowsOf(company, "SELECT * FROM gateway_refunds");
  const entity = { amount: 1_000 };
  for (const named of [
    { id: sent.gateway_refund_id, status: "failed", receipt: null },
    { id: "rfnd_Elsewhere", status: "processed", receipt: String(row?.key) },
  ])
    must(
      await deliver(company, connected, refundEvent({ ...entity, ...named, payment_id: other.paymentId })),
      200,
    );
  expect(await rowsOf(company, "SELECT * FROM gateway_refunds")).toEqual(before);
  const stored =
    "SELECT gateway_refund_id AS id FROM gateway_refund_events WHERE refund_id IS NULL AND gateway_payment_id = ?";
  expect(await rowsOf(company, stored, [other.paymentId])).toHaveLength(2);
  expect(await openOf(company)).toContain(UNKNOWN);
  must(
    await deliver(
      company,
      connected,
      refundEvent(
        { ...entity, id: sent.gateway_refund_id, status: "failed", payment_id: paymentId },
        "refund.failed",
      ),
    ),
    200,
  );
  expect(await getRefund(company, sent.id)).toMatchObject({ status: "failed" });
  await expectSound(company);
});

test("what an account reports of money that another one took has no effect", async () => {
  const shop = await openShop();
  const { company } = shop;
  const { captureId, paymentId } = await paidOrder(shop);
  const { gateway_refund_id: id } = await newRefund(company, { capture_id: captureId, amount: 10 });
  const other = await connectGateway(company, "razorpay", { priority: 90 });
  const entity = {
    id,
    entity: "refund",
    payment_id: paymentId,
    amount: 1_000,
    currency: "INR",
    status: "failed",
  };
  const before = await refundsOf(company);
  must(await deliver(company, other, refundEvent(entity, "refund.failed")), 200);
  must(await deliver(company, other, refundEvent({ ...entity, id: "rfnd_other", status: "processed" })), 200);
  expect(await refundsOf(company)).toEqual(before);
  expect(await openOf(company)).toEqual([UNKNOWN]);
});
