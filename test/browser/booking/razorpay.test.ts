import { afterAll, describe, expect, inject, test } from "vitest";
import { launch } from "../chromium.ts";
import { openSchoolSite } from "./school.ts";
import { Visitor } from "./visitor.ts";

const RAZORPAY = "https://checkout.razorpay.com";
const WAITS = "Your time is held";

const [browser, school] = await Promise.all([launch(), openSchoolSite({ gateway: "razorpay" })]);
afterAll(async () => {
  await browser.close();
  school.close();
});

/** A visitor, for whom the stand-in answers at Razorpay's own address; notes what the browser asks for there. */
async function arrive(edit: (html: string) => string) {
  school.site.edit = edit;
  const visitor = await Visitor.arrive(browser, school.site.page);
  const asked: string[] = [];
  await visitor.page.route(`${RAZORPAY}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    asked.push(pathname);
    const path = pathname.startsWith("/v1/") ? `/razorpay${pathname}` : pathname;
    await route.fulfill({
      response: await route.fetch({ url: inject("service").gatewaysUrl + path + search }),
    });
  });
  await visitor.toForm();
  await visitor.book();
  return { visitor, asked };
}

test("by default the visitor pays on the booking's own page, and the site needs no address of Razorpay", async () => {
  const { visitor, asked } = await arrive((html) => html.replace('lang="en-AU"', 'lang="hi"'));
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
  const inline = (html: string) =>
    html
      .replace("<booking-widget ", '<booking-widget payment="inline" ')
      .replace("script-src ", `script-src ${RAZORPAY} `)
      .replace("style-src ", `frame-src ${RAZORPAY}; style-src `);

  test("Checkout opens over the site, its script loaded on the press of the button only", async () => {
    const { visitor, asked } = await arrive(inline);
    await visitor.sees(WAITS);
    expect(asked).toEqual([]);
    await visitor.button("Pay A$75.00").click();
    const checkout = visitor.page.frameLocator("iframe[title='Razorpay Checkout']");
    await checkout.getByRole("button", { name: /^Pay A\$75/ }).waitFor();
    expect(asked[0]).toBe("/v1/checkout.js");
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
    const { visitor, asked } = await arrive((html) =>
      inline(html).replace("script-src ", "script-src 'unsafe-inline' ").replace("</body>", taken),
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
    const { visitor } = await arrive(inline);
    await visitor.sees(WAITS);
    await visitor.page.route(`${RAZORPAY}/v1/checkout.js`, (route) => route.abort());
    await visitor.button("Pay A$75.00").click();
    await visitor.widget.getByText("Something went wrong. Please try again.").waitFor();
    await visitor.page.unroute(`${RAZORPAY}/v1/checkout.js`);
    await visitor.button("Try again").click();
    const checkout = visitor.page.frameLocator("iframe[title='Razorpay Checkout']");
    await checkout.getByRole("button", { name: /^Pay A\$75/ }).waitFor();
  });
});
