import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { setRules } from "../../features/school.ts";
import { HUMAN } from "../../support/outside.ts";
import { monthsTo, nextOf } from "./school.ts";
import { useSchoolSite } from "./use-school-site.ts";
import { Visitor } from "./visitor.ts";

const place = useSchoolSite();
const TURNSTILE = "https://challenges.cloudflare.com";
const PUZZLE = `window.turnstile = { render: (place, options) => {
  const button = document.createElement("button");
  button.textContent = "I am a person";
  button.onclick = () => options.callback(place.isConnected && options.sitekey === "site-key" ? "${HUMAN}" : "a-machine");
  place.append(button);
} };`;

function taken() {
  const { front } = place.school;
  return { calls: front.takeCalls().map(({ path }) => path), preflights: front.takePreflights() };
}

test("the page preloads what the widget begins with: asked for once, without a preflight", async () => {
  taken();
  const visitor = await Visitor.arrive(place.browser, place.school.site.page);
  await visitor.sees("Which lesson would you like?");
  expect(taken()).toEqual({ calls: ["/start"], preflights: 0 });
  const began = `performance.getEntriesByType("resource").filter(({ name }) => name.includes("/start?")).map(({ initiatorType }) => initiatorType)`;
  expect(await visitor.page.evaluate(began)).toEqual(["link"]);
  // The browser complains of what was preloaded for nothing some seconds after the page has loaded.
  await visitor.page.waitForTimeout(6_000);
  expect(visitor.complaints).toEqual([]);
});

test("a booking takes four calls and three preflights, a second one a single preflight", async () => {
  const { company, mei, site } = place.school;
  const months = monthsTo((await nextOf(company, mei)).date);
  taken();
  const visitor = await Visitor.arrive(place.browser, site.page);
  await visitor.toForm("Trial lesson");
  await visitor.book();
  await visitor.sees("Your lesson is booked");
  const cold = taken();
  const id = (await place.school.bookings()).at(-1)?.id;
  expect(cold.calls).toEqual(["/start", ...months, "/bookings", `/bookings/${id}`]);
  expect(cold.preflights).toBeLessThanOrEqual(2 + months.length);
  await visitor.button("Book another lesson").click();
  await visitor.toForm("Trial lesson");
  await visitor.book();
  await visitor.sees("Your lesson is booked");
  const warm = taken();
  expect(warm.calls).toHaveLength(3 + months.length);
  expect(warm.preflights).toBeLessThanOrEqual(1);
});

test("who is asked for the puzzle solves it, and books under the same key", async () => {
  const { company, front, site } = place.school;
  const turnstile = { mode: "always", site_key: "site-key", secret: "a-secret" };
  await setRules(company, { turnstile });
  const asIs = site.edit;
  site.edit = (html) => html.replace("script-src", `script-src ${TURNSTILE}`);
  const visitor = await Visitor.arrive(place.browser, site.page);
  site.edit = asIs;
  await visitor.page.route(`${TURNSTILE}/**`, (route) =>
    route.fulfill({ contentType: "text/javascript", body: PUZZLE }),
  );
  await visitor.toForm("Trial lesson");
  front.takeCalls();
  await visitor.book();
  await visitor.sees("One more check");
  await visitor.page.getByRole("button", { name: "I am a person" }).click();
  await visitor.sees("Your lesson is booked");
  const sent = front.takeCalls(/bookings$/);
  expect(sent).toHaveLength(2);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  expect(await visitor.page.getByRole("button", { name: "I am a person" }).count()).toBe(0);
  await setRules(company, { turnstile: { mode: "off" } });
});

test("where the puzzle does not load, the page asks the visitor to call the school", async () => {
  const { company, site } = place.school;
  await setRules(company, { turnstile: { mode: "always", site_key: "site-key", secret: "a-secret" } });
  const visitor = await Visitor.arrive(place.browser, site.page);
  await visitor.page.route(`${TURNSTILE}/**`, (route) => route.abort());
  await visitor.toForm("Trial lesson");
  await visitor.book();
  await visitor.widget.getByText("This check does not run in your browser.").waitFor();
  await setRules(company, { turnstile: { mode: "off" } });
});

test("a booking that was just made can be cancelled, after a question", async () => {
  const visitor = await Visitor.arrive(place.browser, place.school.site.page);
  await visitor.toPayment();
  await visitor.callPaymentOff();
  const link = visitor.widget.getByRole("link", { name: "Change this booking" });
  expect(await link.getAttribute("href")).toMatch(/\/b\/[a-z0-9-]+\/[\w-]{43}\?lang=en-AU$/);
  await visitor.button("Cancel this booking").click();
  await visitor.sees("Cancel this booking?");
  expect(await visitor.text()).not.toMatch(/You get|\$/);
  await visitor.button("Keep it").click();
  await visitor.sees("Your time is held");
  await visitor.button("Cancel this booking").click();
  await visitor.button("Yes, cancel it").click();
  await visitor.sees("This booking is cancelled");
  expect((await place.school.bookings()).at(-1)?.status).toBe("cancelled");
});

describe("a lesson that is paid", () => {
  beforeEach(() => setRules(place.school.company, { cancel_window_hours: 1 }));
  afterAll(() => setRules(place.school.company, { cancel_window_hours: 24 }));

  async function paid(): Promise<Visitor> {
    const visitor = await Visitor.arrive(place.browser, place.school.site.page);
    await visitor.toPayment();
    await visitor.pay();
    await visitor.sees("Your lesson is booked");
    return visitor;
  }

  async function seesTooLate(visitor: Visitor): Promise<void> {
    await visitor.widget.getByText("It is too late to cancel here. Please call the school.").waitFor();
    await visitor.sees("Your lesson is booked");
    expect(await visitor.button(/Cancel/).count()).toBe(0);
    expect(await visitor.widget.getByRole("link").allTextContents()).toEqual(["Your booking"]);
  }

  test.each([
    ["English", "", "You get A$75.00 back.", "Cancel this booking", "Yes, cancel it"],
    ["Hindi", ".hi", "आपको A$75.00 वापस मिलेंगे।", "यह बुकिंग रद्द करें", "हाँ, रद्द करें"],
  ])("is cancelled after a question in %s that names what comes back", async (_, file, back, ask, yes) => {
    const { site } = place.school;
    await paid();
    site.edit = (html) => html.replace("booking-widget.js", `booking-widget${file}.js`);
    const id = (await place.school.bookings()).at(-1)?.id;
    const visitor = await Visitor.arrive(place.browser, `${site.page}?booking=${id}`);
    site.edit = (html) => html;
    await visitor.button(ask).click();
    await visitor.sees(`${ask}?`);
    await visitor.widget.getByText(back, { exact: true }).waitFor();
    await visitor.button(yes).click();
    await visitor.widget.getByText(/, (?:to be refunded|लौटाई जानी है)$/).waitFor();
  });

  test("is offered for a cancel no more once that is too late, nor for a change", async () => {
    const visitor = await paid();
    await visitor.button("Cancel this booking").waitFor();
    await visitor.widget.getByRole("link", { name: "Change this booking" }).waitFor();
    // The page has been open since before the window began.
    await setRules(place.school.company, { cancel_window_hours: 720 });
    await visitor.button("Cancel this booking").click();
    await seesTooLate(visitor);
  });

  test("stays where the cancel is refused after the question", async () => {
    const visitor = await paid();
    await visitor.button("Cancel this booking").click();
    await visitor.sees("Cancel this booking?");
    await setRules(place.school.company, { cancel_window_hours: 720 });
    await visitor.button("Yes, cancel it").click();
    await seesTooLate(visitor);
  });
});
