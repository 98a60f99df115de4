import { expect, test } from "vitest";
import { gatewayFaults, play } from "../../../support/gateways.ts";
import { expectSound } from "../../../support/oracles.ts";
import { rowsOf } from "../../commerce.ts";
import { gatewayOrderOf, openShop, type Placed, postCheckout } from "../shop.ts";

const RUNS = Number(process.env.CHECKOUT_RUNS ?? 30);
const AT_ONCE = 10;

test(`${RUNS} orders paid under 5 % faults of gateway and database: as many invoices, and the books balance`, async () => {
  const { company, connected } = await openShop();
  await company.raiseLimit();
  const rate = 0.05;
  await gatewayFaults(company, connected, {
    refused_call: rate,
    failed_call: rate,
    lost_answer: rate,
    duplicate: rate,
    reordered: rate,
    together: rate,
    seed: 11,
  });
  await company.faults(
    { kind: "reset_before", probability: rate, seed: 1 },
    { kind: "reset_after", probability: rate, seed: 2 },
    { kind: "error", code: "SQLITE_BUSY", probability: rate, seed: 3 },
  );
  let invoiced = 0;
  const one = async (number: number): Promise<void> => {
    const customer = { name: `Buyer ${number}`, email: `buyer${number}@example.com`, state: "Kerala" };
    let placed: Placed | undefined;
    for (let attempt = 1; placed === undefined; attempt += 1) {
      const answer = await postCheckout(company, { customer });
      if (attempt > 20) throw new Error(`No order after ${attempt} attempts: ${answer.text}`);
      if (answer.status === 200) placed = answer.body;
      else expect(answer.status).toBeOneOf([400, 503]);
    }
    await play(company, "razorpay", gatewayOrderOf(placed), "paid");
    invoiced += 1;
  };
  const numbers = Array.from({ length: RUNS }, (_, index) => index);
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (let number = numbers.pop(); number !== undefined; number = numbers.pop()) await one(number);
  });
  await Promise.all(workers);
  await company.faults();

  expect(invoiced).toBe(RUNS);
  expect(await rowsOf(company, "SELECT count(*) AS n FROM invoices")).toEqual([{ n: RUNS }]);
  expect(await rowsOf(company, "SELECT count(*) AS n FROM payments")).toEqual([{ n: RUNS }]);
  expect(await rowsOf(company, "SELECT count(*) AS n FROM sales_orders WHERE status = 'invoiced'")).toEqual([
    { n: RUNS },
  ]);
  await expectSound(company);
}, 300_000);
