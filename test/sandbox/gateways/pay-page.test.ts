import { expect, it } from "vitest";
import { basic, call, eventsReceived, gateways, openAccount, pay, useGateways } from "./harness.ts";
import { end, ledger, moneyBack, newOrder, newPayment, type Paid, refund, said } from "./payments.ts";

useGateways();

const back = "return_url=http%3A%2F%2Flocalhost%2Fthanks&cancel_url=http%3A%2F%2Flocalhost%2Fcart";

async function newPage(): Promise<string> {
  const merchant = openAccount("razorpay");
  const order = { amount: 12_345_650, currency: "INR", receipt: "<b>SO/26-27/00003</b>" };
  const { id } = (await call("/razorpay/v1/orders", basic(merchant), order)).body;
  return `${gateways.url}/pay/razorpay/${id}`;
}

function press(page: string, outcome: string): Promise<Response> {
  return fetch(page, { method: "POST", body: new URLSearchParams({ outcome }), redirect: "manual" });
}

it("shows amount, merchant and order, and escapes them", async () => {
  const text = await (await fetch(await newPage())).text();
  expect(text).toContain("₹1,23,456.50");
  expect(text).toMatch(/<p>Shop \d+<\/p>/);
  expect(text).toContain("&lt;b&gt;SO/26-27/00003&lt;/b&gt;");
  expect(text).toContain("Pay ₹1,23,456.49 instead");
  expect(text).toContain("Or try what else can happen");
});

it("takes the payer back to the shop, or where a failed payment leads", async () => {
  const page = await newPage();
  expect(await (await fetch(`${page}?${back}`)).text()).toContain('href="http://localhost/cart"');
  const failed = await press(page, "failed");
  expect([failed.status, failed.headers.get("Location")]).toEqual([303, "http://localhost/cart"]);
  const paid = await press(page, "paid");
  expect([paid.status, paid.headers.get("Location")]).toEqual([303, "http://localhost/thanks"]);
  expect(eventsReceived()).toContain("payment.failed");
  const text = await (await fetch(page)).text();
  expect(text).toContain("Go back");
  expect(text).toContain("Webhooks sent");
  expect((await press(page, "paid")).status).toBe(409);
});

it("takes no visitor to an address that is no web page", async () => {
  const page = await newPage();
  const text = await (await fetch(`${page}?cancel_url=javascript%3Aalert(1)`)).text();
  expect(text).not.toContain("javascript:");
});

it("sends the payer of a delayed payment back at once", async () => {
  const page = await newPage();
  expect((await press(page, "delayed")).status).toBe(303);
  expect(eventsReceived()).toEqual([]);
  await expect.poll(eventsReceived, { timeout: 10_000 }).toContain("order.paid");
});

/** What the list of orders says of one. */
async function listed(page: string): Promise<string | undefined> {
  const text = await (await fetch(`${gateways.url}/pay`)).text();
  return new RegExp(`href="${new URL(page).pathname}"[^\\n]*?(?:<td>[^<]*){3}<td>([^<\\n]+)`).exec(text)?.[1];
}

it.each(["razorpay", "stripe"] as const)("lists the orders of %s, a failed payment too", async (kind) => {
  const page = `${gateways.url}/pay/${kind}/${(await newOrder(kind)).order}`;
  for (const outcome of ["open", "failed", "paid"]) {
    if (outcome !== "open") await press(page, outcome);
    expect(await listed(page)).toBe(outcome);
  }
});

it("knows no other order and no other outcome", async () => {
  const page = await newPage();
  expect((await fetch(`${gateways.url}/pay/razorpay/order_0`)).status).toBe(404);
  expect((await fetch(page.replace("razorpay", "stripe"))).status).toBe(404);
  expect((await pay("razorpay", page.split("/").at(-1), "stolen")).status).toBe(422);
});

function pageOf({ kind, order }: Paid): string {
  return `${gateways.url}/pay/${kind}/${order}`;
}

/** What the page of a payment says, without tags. */
async function textOf(paid: Paid): Promise<string> {
  const html = await (await fetch(pageOf(paid))).text();
  return html
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replace(/\s+/g, " ");
}

/** Presses a button of the page of a payment; gives the page again that it leads to. */
async function pressOf(paid: Paid, path: string, fields: Record<string, string>): Promise<string> {
  const body = new URLSearchParams(fields);
  const answer = await fetch(gateways.url + path, { method: "POST", body, redirect: "manual" });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, new URL(pageOf(paid)).pathname]);
  return textOf(paid);
}

function ofPayment({ merchant, payment }: Paid): string {
  return `/pay/accounts/${merchant.account}/payments/${payment}`;
}

it("lets a person give a part back at the gateway, and the payer's bank take the rest and give it again", async () => {
  const paid = await newPayment("stripe");
  expect(await textOf(paid)).toContain(
    "of ₹100.00 that are left Refund it at the gateway The payer's bank takes it back",
  );
  const part = await pressOf(paid, ofPayment(paid), { source: "console", amount: "30.25" });
  expect(part).toContain("Refund at the gateway: ₹30.25, succeeded Let it fail");
  const taken = await pressOf(paid, ofPayment(paid), { source: "chargeback", amount: "69.75" });
  expect(taken).toContain("Chargeback: ₹69.75, succeeded Reverse it");
  expect(taken).not.toContain("that are left");
  const [, chargeback] = await ledger(paid);
  const reversed = await pressOf(paid, `/pay/refunds/${chargeback?.id}`, { outcome: "reversed" });
  expect(reversed).toContain("Chargeback: ₹69.75, reversed");
  expect(reversed).toContain("of ₹69.75 that are left");
});

it("lets a person end a refund that is on its way, and let it fail late", async () => {
  const paid = await newPayment("razorpay");
  expect(await textOf(paid)).toContain("The next refund succeeds Let it wait Let it fail");
  const next = `${ofPayment(paid)}/next-refund`;
  expect(await pressOf(paid, next, { outcome: "pending" })).toContain(
    "The next refund waits Let it succeed Let it fail",
  );
  const { body } = await refund(paid);
  expect(await textOf(paid)).toContain("Refund through the API: ₹100.00, pending Let it succeed Let it fail");
  const path = `/pay/refunds/${body.id}`;
  expect(await pressOf(paid, path, { outcome: "succeeded" })).toContain("₹100.00, succeeded Let it fail");
  expect(await pressOf(paid, path, { outcome: "failed" })).toContain("₹100.00, failed");
});

it("lets a script choose what becomes of the next refund, and of no other", async () => {
  const paid = await newPayment("stripe");
  const path = `${ofPayment(paid)}/next-refund`;
  const { status, body } = await call(path, "", { outcome: "failed" });
  expect([status, body]).toEqual([200, { payment_id: paid.payment, next_refund: "failed" }]);
  expect((await moneyBack(paid, { source: "console", amount: 1_000 })).body.refund.state).toBe("failed");
  expect((await moneyBack(paid, { source: "console", amount: 1_000 })).body.refund.state).toBe("succeeded");
  await call(path, "", { outcome: "pending" });
  expect((await refund(paid, 1_000)).body.status).toBe("pending");
  expect((await refund(paid, 1_000, "another-key-001")).body.status).toBe("succeeded");
  expect(await call(path, "", { outcome: "lost" })).toMatchObject({
    ...{ status: 422, body: { error: "outcome: must be one of succeeded, pending, failed." } },
  });
  expect((await call(path.replace(paid.payment, "pi_0"), "", { outcome: "failed" })).status).toBe(404);
});

it("offers no reversal of a dispute that is lost at Razorpay", async () => {
  const paid = await newPayment("razorpay");
  expect(await textOf(paid)).toContain("Refund it at the gateway The payer's bank takes it back");
  const lost = await pressOf(paid, ofPayment(paid), { source: "chargeback", amount: "60.00" });
  expect(lost).toMatch(/Chargeback: ₹60\.00, succeeded (?!Reverse it)/);
  expect(lost).toContain("Paid, ₹60.00 was charged back");
});

it("offers no late failure of PayPal's refunds, but one of those that are on their way", async () => {
  const paid = await newPayment("paypal");
  await refund(paid, 4_000);
  expect(await textOf(paid)).toMatch(/US\$40\.00, succeeded (?!Let it fail)/);
  await call(`${ofPayment(paid)}/next-refund`, "", { outcome: "pending" });
  await refund(paid, 6_000, "another-key-001");
  expect(await textOf(paid)).toContain("US$60.00, pending Let it succeed Let it fail");
});

it("says how much went back, on the page and in the list, and is green only while money is left", async () => {
  const paid = await newPayment("stripe");
  const states = async () => {
    const page = await (await fetch(pageOf(paid))).text();
    return [await listed(pageOf(paid)), ...(/<p class="(done|returned)">([^<]*)/.exec(page)?.slice(1) ?? [])];
  };
  expect(await states()).toEqual(["paid", "done", "Paid"]);
  await moneyBack(paid, { source: "console", amount: 4_000 });
  expect(await states()).toEqual(["paid, ₹40.00 went back", "done", "Paid, ₹40.00 went back"]);
  await call(`${ofPayment(paid)}/next-refund`, "", { outcome: "pending" });
  const { body } = await refund(paid, 6_000);
  const whole = "aid, ₹40.00 went back, ₹60.00 is on its way back";
  expect(await states()).toEqual([`p${whole}`, "returned", `P${whole}`]);
  await end(body.id, "failed");
  await moneyBack(paid, { source: "chargeback" });
  const taken = "aid, ₹40.00 went back, ₹60.00 was charged back";
  expect(await states()).toEqual([`p${taken}`, "returned", `P${taken}`]);
  const other = await newPayment("paypal");
  await moneyBack(other, { source: "chargeback" });
  expect(await textOf(other)).toContain("Charged back");
  expect(said(await refund(other))).toBe("REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK");
});

it("answers what is wrong plainly, and moves nothing then", async () => {
  const paid = await newPayment("paypal");
  const amount = "amount: must be a number above 0, in the smallest unit of the currency.";
  for (const [body, error] of [
    [{ source: "stolen" }, "source: must be one of console, auto, chargeback."],
    [{ source: "console", amount: 1.5 }, amount],
    [[], "The body must be a JSON object."],
  ] as const)
    expect(await moneyBack(paid, body)).toMatchObject({ status: 422, body: { error } });
  const submit = async (amount: string) => {
    const body = new URLSearchParams({ source: "console", amount });
    return (await fetch(gateways.url + ofPayment(paid), { method: "POST", body, redirect: "manual" })).status;
  };
  expect([await submit("100.01"), await submit("0"), await submit("ten")]).toEqual([409, 422, 422]);
  const elsewhere = { ...paid, merchant: { ...paid.merchant, account: "nobody" } };
  expect((await moneyBack(elsewhere, { source: "console" })).status).toBe(404);
  expect([(await end("re_0", "failed")).status, (await end("re_0", "lost")).status]).toEqual([404, 422]);
  expect(await ledger(paid)).toEqual([]);
});
