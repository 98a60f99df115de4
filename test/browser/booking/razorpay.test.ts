import { afterAll, describe, expect, inject, test } from "vitest";
import { launch } from "../chromium.ts";
import { openSchoolSite } from "./school.ts";
import { Visitor } from "./visitor.ts";

const { gatewaysUrl } = inject("service");
const INLINE = "?payment=inline";
const SCRIPT = "/razorpay/v1/checkout.js";
const WAITS = "Your time is held";

const [browser, school] = await Promise.all([launch(), openSchoolSite({ gateway: "razorpay" })]);
afterAll(async () => {
  await browser.close();
  school.close();
});

/** A visitor who has booked; notes what the browser asks for of Razorpay's stand-in while on the school's page. */
async function arrive(query = "", edit = (html: string) => html) {
  school.site.edit = edit;
  const visitor = await Visitor.arrive(browser, school.site.page + query);
  const asked: string[] = [];
  visitor.page.on("request", (request) => {
    const isOwn = visitor.page.url().startsWith(school.site.origin);
    if (isOwn && request.url().startsWith(gatewaysUrl)) asked.push(new URL(request.url()).pathname);
  });
  await visitor.toForm();
  await visitor.book();
  return { visitor, asked };
}

test("by default the visitor pays on the booking's own page, and the site needs no address of Razorpay", async () => {
  const { visitor, asked } = await arrive("", (html) => html.replace('lang="en-AU"', 'lang="hi"'));
  await visitor.page.waitForURL(/\/b\/[^/]+\/[\w-]{43}\/pay\?lang=hi$/);
  await visitor.page.getByRole("heading", { name: "अपनी क्लास का भुगतान करें" }).waitFor();
  await visitor.page.getByRole("button", { name: "भुगतान पर जाएँ" }).click();
  const checkout = visitor.page.frameLocator("iframe[title='Razorpay Checkout']");
  await checkout.getByRole("button", { name: /^Pay A\$75/ }).click();
  await visitor.page.getByRole("heading", { name: "क्लास पक्की है" }).waitFor();
  expect((await school.bookings()).at(-1)?.status).toBe("confirmed");
  expect(asked).toEqual([]);
  expect(visitor.complaints).toEqual([]);
});

describe('with payment="inline"', () => {
  test("Checkout opens over the site, its script loaded on the press of the button only", async () => {
    const { visitor, asked } = await arrive(INLINE);
    await visitor.sees(WAITS);
    expect(asked).toEqual([]);
    await visitor.button("Pay A$75.00").click();
    const checkout = visitor.page.frameLocator("iframe[title='Razorpay Checkout']");
    await checkout.getByRole("button", { name: /^Pay A\$75/ }).waitFor();
    expect(asked[0]).toBe(SCRIPT);
    await visitor.page.getByRole("button", { name: "Close" }).click();
    await visitor.widget.getByRole("alert").waitFor();
    expect(await visitor.widget.getByRole("alert").textContent()).toContain("did not go through");
    await visitor.button("Pay A$75.00").click();
    await checkout.getByRole("button", { name: /^Pay A\$75/ }).click();
    await visitor.sees("Your lesson is booked");
    expect(visitor.page.url()).toContain(school.site.origin);
    expect((await school.bookings()).at(-1)?.status).toBe("confirmed");
    expect(visitor.complaints).toEqual([]);
  });

  test("the event booking-payment comes first, and who prevents it takes the payment", async () => {
    const taken = `<script type="module">
      addEventListener("booking-payment", (event) => {
        document.body.dataset.order = event.detail.payment.payment_data.gateway_order_id;
        document.body.dataset.url = String(event.detail.payment.payment_url);
        event.preventDefault();
      });
    </script></body>`;
    const { visitor, asked } = await arrive(INLINE, (html) =>
      html.replace("script-src ", "script-src 'unsafe-inline' ").replace("</body>", taken),
    );
    await visitor.sees(WAITS);
    const body = visitor.page.locator("body");
    expect(await body.getAttribute("data-order")).toMatch(/^order_/);
    expect(await body.getAttribute("data-url")).toBe("null");
    await visitor.button("Pay A$75.00").click();
    await visitor.sees(WAITS);
    expect(asked).toEqual([]);
  });

  test("where the script of Checkout does not come, the widget says so and lets the visitor try again", async () => {
    const { visitor } = await arrive(INLINE);
    await visitor.sees(WAITS);
    await visitor.page.route(gatewaysUrl + SCRIPT, (route) => route.abort());
    await visitor.button("Pay A$75.00").click();
    await visitor.widget.getByText("Something went wrong. Please try again.").waitFor();
    await visitor.page.unroute(gatewaysUrl + SCRIPT);
    await visitor.button("Try again").click();
    const checkout = visitor.page.frameLocator("iframe[title='Razorpay Checkout']");
    await checkout.getByRole("button", { name: /^Pay A\$75/ }).waitFor();
  });
});
