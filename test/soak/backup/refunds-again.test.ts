import { expect, test } from "vitest";
import { gatewayOrderOf, openShop, placeOrder } from "../../features/storefront/shop.ts";
import { must, type TestCompany } from "../../support/company.ts";
import { type Connected, gatewayFaults, play } from "../../support/gateways.ts";
import { resume, suspend, useCommandLine } from "./command.ts";

const MINUTE = 60;
const { done } = useCommandLine();

// What differs between the gateways here, a key that is sent again and the list of refunds, test/sandbox/gateways holds.
test("a backup restored after refunds were sent sends nothing twice", { timeout: 300_000 }, async () => {
  const { company, connected } = await openShop("razorpay");
  for (let index = 0; index < 2; index += 1) {
    const placed = await placeOrder(company);
    await play(company, "razorpay", gatewayOrderOf(placed), "twice");
  }
  const waiting = await company.rows("SELECT id FROM gateway_captures WHERE advance_amount > 0");
  const [first, second] = waiting.map(({ id }) => Number(id));
  // The first one is not sent yet when the backup is made, and is sent by the clock after it.
  await gatewayFaults(company, connected, { refused_call: 1 });
  expect(await refund(company, first)).toMatchObject({ status: "created" });
  const file = `${company.slug}.backup`;
  await done("backup", company.slug, file);
  await gatewayFaults(company, connected, {});
  await company.clock(2 * MINUTE);
  await company.sweep(async () => (await open(company)).length === 0);
  expect(await refund(company, second)).toMatchObject({ status: "succeeded" });
  const sent = await ledgerOf(company, connected);
  expect(sent).toHaveLength(2);

  await suspend(company);
  const [last] = await company.rows("SELECT invoice_number FROM invoices ORDER BY id DESC LIMIT 1");
  const words = ["restore", file, "--into", company.slug, "--continue-after", String(last?.invoice_number)];
  await done(...words);
  await resume(company);
  // Staff do not see the second one, and ask for it again.
  expect(await refund(company, second)).toMatchObject({
    status: "failed",
    failure_code: "refund_exceeds_payment",
  });
  const restored = await restoredRows(company);
  await company.clock(10 * MINUTE);
  await company.sweep(async () => (await restoredRows(company)).every(({ status }) => status !== "created"));
  expect(restored.length).toBeGreaterThan(1);
  expect(await ledgerOf(company, connected)).toEqual(sent);
  const listed = await company.call<{ gateway_refund_id: string | null; status: string; source: string }[]>(
    "GET",
    "/refunds/:company",
  );
  const succeeded = must(listed, 200).body.data.filter(({ status }) => status === "succeeded");
  expect(new Map(succeeded.map((one) => [one.gateway_refund_id, one.source]))).toEqual(
    new Map([
      [sent[0]?.id, "api"],
      [sent[1]?.id, "gateway"],
    ]),
  );
});

async function refund(company: TestCompany, capture: number | undefined) {
  const body = { capture_id: capture, reason: "duplicate_payment" };
  return must(await company.call("POST", "/refunds/:company", { body }), 201).body.data;
}

async function restoredRows(company: TestCompany) {
  const path = "/refunds/:company";
  return must(await company.call<{ status: string }[]>("GET", path), 200).body.data;
}

const open = (company: TestCompany) =>
  company.rows("SELECT id FROM gateway_refunds WHERE status IN ('created', 'pending')");

/** The gateway's own ledger of what went back. */
async function ledgerOf(company: TestCompany, { merchant }: Connected): Promise<{ id: string }[]> {
  const response = await fetch(`${company.gatewaysUrl}/pay/refunds/${merchant.account}`);
  return (await response.json()) as { id: string }[];
}
