import { expect, test } from "vitest";
import { gatewayFaults } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { rowsOf } from "../commerce.ts";
import { erase } from "../erasures/person.ts";
import { openShop } from "../storefront/shop.ts";
import { endAtGateway, newRefund, paidOrder } from "./refunds.ts";

test("an erased customer's refunds keep no written reason, and money on its way keeps the shopper's contact", async () => {
  const shop = await openShop();
  const { company, connected } = shop;
  const { orderId, captureId } = await paidOrder(shop);
  const written = { reason: "other", reason_text: "Meera called, her mother is ill" };
  const failing = { ...written, capture_id: captureId };
  await gatewayFaults(company, connected, { refund_refused: 1 });
  expect((await newRefund(company, { ...failing, amount: 10 })).status).toBe("failed");
  await gatewayFaults(company, connected, { refund_pending: 1 });
  const running = await newRefund(company, { ...failing, amount: 20 });
  await gatewayFaults(company, connected, {});
  const [order] = await rowsOf(company, "SELECT customer_id FROM sales_orders WHERE id = ?", [orderId]);
  const contact = async () => {
    const [row] = await rowsOf(
      company,
      "SELECT customer ->> '$.email' AS email FROM sales_orders WHERE id = ?",
      [orderId],
    );
    return row?.email;
  };

  const first = await erase(company, { customer_id: String(order?.customer_id) });
  expect(first.kept.map(({ what }) => what)).toContain("refunds");
  expect(await rowsOf(company, "SELECT DISTINCT reason, reason_text FROM gateway_refunds")).toEqual([
    { reason: "other", reason_text: null },
  ]);
  expect(await rowsOf(company, "SELECT id FROM events WHERE instr(snapshot, 'her mother') > 0")).toEqual([]);
  expect(await contact()).not.toBe("erased");
  await expect(rowsOf(company, "UPDATE gateway_refunds SET reason_text = 'x'")).rejects.toThrow();

  await endAtGateway(shop, running.gateway_refund_id, "succeeded");
  await erase(company, { customer_id: String(order?.customer_id) });
  expect(await contact()).toBe("erased");
  await expectSound(company);
});
