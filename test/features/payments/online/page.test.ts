import { beforeEach, describe, expect, inject, test } from "vitest";
import { must } from "../../../support/company.ts";
import { play } from "../../../support/gateways.ts";
import { soundAtEnd } from "../../../support/oracles.ts";
import { expectNoChange, submit, visit } from "../../bookings/page/visitor.ts";
import { addedTo } from "../../captures/captures.ts";
import { arrived, newAddress } from "../../messaging/provider.ts";
import { newPayment } from "../../money.ts";
import { moneyOf, newUnpaid, opened, openSeller, ordersOf, PAID, press, type Unpaid } from "./unpaid.ts";

const NO_TOKEN = "x".repeat(43);
const BUTTON = 'class="pay"';

let unpaid: Unpaid;
const seller = soundAtEnd(await openSeller());
beforeEach(async () => {
  unpaid = await newUnpaid(seller);
});

const { taken } = addedTo(seller.company);
const pay = (order: string) => play(seller.company, "razorpay", order, "paid");

describe("the page of an unpaid invoice takes its payment through the company's gateway", () => {
  test("the button leads to a page that says what is paid and to whom, and that to the gateway", async () => {
    const shown = await visit(unpaid.path);
    expect(shown.text).toContain(`href="${unpaid.path}/pay?lang=en"`);
    expect(shown.headers.get("Content-Security-Policy")).toContain("form-action 'none'");
    const before = await visit(`${unpaid.path}/pay`);
    for (const said of [
      "Pay the invoice",
      "Asha Traders",
      unpaid.invoice.invoice_number,
      "₹354.00",
      "Pay now",
    ])
      expect(before.text).toContain(said);
    const [order = ""] = await press(seller, unpaid);
    const checkout = await visit(`${unpaid.path}/pay`);
    expect(checkout.text).toContain(`name="order_id" value="${order}"`);
    expect(checkout.text).toMatch(/action="[^"]+\/v1\/checkout\/embedded"/);
    await pay(order);
    expect(await moneyOf(seller, unpaid)).toEqual(PAID);
    expect(await taken()).toEqual(["paid 35400 invoiced 0"]);
    const [payment] = await seller.company.rows(
      "SELECT source, gateway FROM payments ORDER BY id DESC LIMIT 1",
    );
    expect(payment).toEqual({ source: "hosted_page", gateway: "razorpay" });
    const after = await visit(unpaid.path);
    expect(after.text).toContain("Paid");
    expect(after.text).not.toContain(BUTTON);
  });

  test("in Hindi too, on each page", async () => {
    const shown = await visit(`${unpaid.path}?lang=hi`);
    expect(shown.text).toContain("अभी भुगतान करें");
    expect(shown.text).toContain(`href="${unpaid.path}/pay?lang=hi"`);
    const page = await visit(`${unpaid.path}/pay?lang=hi`);
    expect(page.text).toContain("बीजक का भुगतान करें");
    expect(page.text).toContain(`action="${inject("service").url}${unpaid.path}/pay?lang=hi"`);
    expect((await visit(`${unpaid.path}/pay?lang=hi&paid=0`)).text).toContain("भुगतान आ रहा है");
  });

  test("a payer who comes back waits for the gateway's word, without script too", async () => {
    const order = await opened(seller, unpaid);
    const back = await submit(`${unpaid.path}/paid`, { razorpay_order_id: order });
    expect(back).toMatchObject({ status: 303, location: expect.stringMatching(/\/pay\?paid=0$/) });
    const waiting = await visit(`${unpaid.path}/pay?paid=0`);
    expect(waiting.text).toMatch(/http-equiv="refresh" content="1;url=[^"]+\/pay\?paid=1"/);
    const late = await visit(`${unpaid.path}/pay?paid=6`);
    expect(late.text).not.toContain("http-equiv");
    expect(late.text).toContain("please do not pay again");
    await pay(order);
    const paid = await fetch(`${inject("service").url}${unpaid.path}/pay?paid=1`, { redirect: "manual" });
    expect(paid.status).toBe(303);
    expect(paid.headers.get("Location")).toMatch(new RegExp(`${unpaid.path}$`));
  });

  test("the e-mail of the invoice has the button, while it may be paid", async () => {
    const mailOf = async () => {
      const email = newAddress();
      must(
        await seller.company.call("POST", `/invoices/:company/${unpaid.invoice.id}/send`, {
          body: { email },
        }),
        202,
      );
      return String((await arrived(email)).html);
    };
    const html = await mailOf();
    expect(html).toContain("Pay now");
    const [, path = ""] = /https?:\/\/[^/"]+(\/i\/[\w-]+\/[\w-]{43}\/pay)"/.exec(html) ?? [];
    expect((await visit(path)).text).toContain("Pay the invoice");
    await newPayment(seller.company, { invoice_id: unpaid.invoice.id, amount: 354 });
    expect(await mailOf()).not.toContain("Pay now");
  });
});

describe("who has the address only", () => {
  test("needs no key, and learns nothing that the invoice does not print", async () => {
    const order = await opened(seller, unpaid);
    const { text, headers } = await visit(`${unpaid.path}/pay`);
    for (const secret of ["meera@example.com", "9847012345", seller.connected.merchant.secret])
      expect(text).not.toContain(secret);
    expect(headers.get("Cache-Control")).toBe("private, no-store");
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    const asked = await fetch(`${seller.company.gatewaysUrl}/pay/razorpay/${order}`);
    expect(await asked.text()).not.toContain("meera@example.com");
  });

  test("a GET changes nothing, whatever a crawler opens", async () => {
    await expectNoChange(seller.company, unpaid.path, ["", "/pay", "/pay?paid=0", "/paid"]);
  });

  test("a guessed address is not found, and another company's token opens nothing", async () => {
    for (const end of ["/pay", "/paid"]) {
      const path = `/i/${seller.company.slug}/${NO_TOKEN}${end}`;
      expect((await visit(path)).status).toBe(404);
      expect((await submit(path, { once: "1" })).status).toBe(404);
    }
    const other = await openSeller();
    const foreign = `/i/${other.company.slug}/${unpaid.path.split("/").at(-1)}/pay`;
    expect((await submit(foreign, { once: "1" })).status).toBe(404);
    expect(await ordersOf(other.company, unpaid.invoice.id)).toEqual([]);
  });
});
