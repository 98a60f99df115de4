import { gzipSync } from "node:zlib";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { addDays } from "../../../src/shared/time/dates.ts";
import { STRINGS } from "../../../src/widget/strings.ts";
import { addOverride, setRules } from "../../features/school.ts";
import { widgetFiles } from "./front.ts";
import { monthsTo, nextOf } from "./school.ts";
import { useSchoolSite } from "./use-school-site.ts";
import { Visitor } from "./visitor.ts";

const MOST_BYTES = 12 * 1_024;

const place = useSchoolSite();

async function boxOf(element: Locator) {
  return (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
}

test.each(["booking-widget.js", "booking-widget.hi.js"])("%s is at most 12 KB gzipped", async (file) => {
  const bytes = (await widgetFiles()).get(file);
  expect(gzipSync(bytes ?? expect.fail(`There is no ${file}`)).length).toBeLessThanOrEqual(MOST_BYTES);
});

test.each([375, 1280])(
  "at %d px a visitor books, pays and comes back to a confirmed lesson",
  async (width) => {
    place.school.front.takeCalls();
    const visitor = await Visitor.arrive(place.browser, place.school.site.page, width);
    await visitor.toTimes();
    expect(place.school.front.takeCalls().map(({ path }) => path)).toEqual(["/start", "/availability/dates"]);
    await visitor.times.first().click();
    for (const [label, value] of Object.entries(visitor.details)) {
      await visitor.widget.getByLabel(label).fill(value);
    }
    expect(await visitor.page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    const hint = await boxOf(visitor.widget.getByText("One is enough."));
    const [name, email] = await Promise.all(
      ["Name", "Email"].map((label) => boxOf(visitor.widget.getByLabel(label))),
    );
    expect(hint.y).toBeGreaterThan((name?.y ?? 0) + (name?.height ?? 0));
    expect(hint.y + hint.height).toBeLessThan(email?.y ?? 0);
    expect(hint.x).toBe(email?.x);
    await visitor.button("Book for A$75.00").click();
    await visitor.pay();
    await visitor.sees("Your lesson is booked");
    expect(visitor.page.url()).toMatch(place.school.site.origin);
    expect(await visitor.text()).toMatch(/BK-\d{6}.*With\s*Mei Tan.*A\$75\.00, paid/s);
    expect((await place.school.bookings()).at(-1)?.status).toBe("confirmed");
    expect(visitor.complaints).toEqual([]);
  },
);

test("a hold of more than an hour is shown in hours", async () => {
  await setRules(place.school.company, { hold_minutes: 1_440 });
  const visitor = await Visitor.arrive(place.browser, place.school.site.page);
  await visitor.toPayment();
  await visitor.callPaymentOff();
  expect(await visitor.text()).toMatch(/Held for another (?:23:59:\d\d|24:00:00)\./);
  await setRules(place.school.company, { hold_minutes: 15 });
});

test("in Hindi its words are, to the end of a booking", async () => {
  const { site } = place.school;
  site.edit = (html) =>
    html.replace("booking-widget.js", "booking-widget.hi.js").replace('lang="en-AU"', 'lang="hi"');
  const visitor = await Visitor.arrive(place.browser, site.page);
  site.edit = (html) => html;
  await visitor.sees("आप कौन-सी क्लास लेना चाहेंगे?");
  const seen = [await visitor.text()];
  await visitor.button("Trial lesson").click();
  await visitor.sees("आप किसके साथ क्लास लेना चाहेंगे?");
  seen.push(await visitor.text());
  await visitor.button("Mei Tan").click();
  await visitor.times.first().waitFor();
  seen.push(await visitor.text());
  await visitor.times.first().click();
  await visitor.widget.getByLabel("नाम").fill("आशा राव");
  await visitor.widget.getByLabel("ईमेल").fill("asha@example.com");
  seen.push(await visitor.text());
  await visitor.button("बुक करें").click();
  await visitor.sees("आपकी क्लास पक्की है");
  seen.push(await visitor.text());
  for (const english of Object.values(STRINGS).filter((text) => text.length > 9 && !text.includes("{")))
    for (const text of seen) expect(text).not.toContain(english);
  expect(visitor.complaints).toEqual([]);
});

test("a lesson longer than a slot takes no more calls, though the next free day has no room for it", async () => {
  const { company, front, site, tom, lesson } = place.school;
  const { date } = await nextOf(company, tom);
  const hour = { date, is_available: true, start: "09:00", end: "10:00" };
  await addOverride({ company, instructorId: tom, courseId: lesson }, hour);
  front.takeCalls();
  const visitor = await Visitor.arrive(place.browser, site.page);
  await visitor.button("Long lesson").click();
  await visitor.button("Tom Walker").click();
  await visitor.times.first().waitFor();
  const asked = monthsTo(addDays(date, 1));
  expect(front.takeCalls().map(({ path }) => path)).toEqual(["/start", ...asked]);
});

test("times are the school's, wherever the visitor is, and say so", async () => {
  const visitor = await Visitor.arrive(place.browser, place.school.site.page);
  await visitor.toTimes("Manual lesson");
  const zone = /All times are Australian Eastern (Daylight|Standard) Time \(Australia\/Sydney\)\./;
  expect(await visitor.text()).toMatch(zone);
  await visitor.widget.getByText("Choose another day").click();
  await visitor.button("Next month").click();
  await visitor.freeDays.first().click();
  await visitor.button("09:00").waitFor();
  expect(await visitor.times.allTextContents()).toContain("16:00");
});

test("a month is asked for once, with all of its times", async () => {
  const visitor = await Visitor.arrive(place.browser, place.school.site.page);
  await visitor.toTimes();
  place.school.front.takeCalls();
  await visitor.widget.getByText("Choose another day").click();
  await visitor.button("Next month").click();
  await visitor.freeDays.nth(20).waitFor();
  await visitor.button("Previous month").click();
  await visitor.freeDays.first().waitFor();
  await visitor.button("Next month").click();
  await visitor.freeDays.nth(20).waitFor();
  await visitor.freeDays.nth(20).click();
  await visitor.button("09:00").waitFor();
  expect(place.school.front.takeCalls().map(({ path }) => path)).toEqual(["/availability/dates"]);
});

test("instructors near a postcode or suburb are found without another call", async () => {
  const visitor = await Visitor.arrive(place.browser, place.school.site.page);
  await visitor.button("Driving lesson").click();
  await visitor.button("Tom Walker").waitFor();
  place.school.front.takeCalls();
  await visitor.widget.getByLabel("Your postcode or suburb").fill("2134");
  expect(await visitor.button("Tom Walker").count()).toBe(0);
  expect(await visitor.button("Mei Tan").count()).toBe(1);
  await visitor.widget.getByLabel("Your postcode or suburb").fill("perth");
  await visitor.widget.getByText(/^No one comes to perth yet\. Try a place nearby\.$/).waitFor();
  await visitor.widget.getByLabel("Your postcode or suburb").clear();
  expect(await visitor.widget.locator(".card").count()).toBe(2);
  expect(place.school.front.takeCalls()).toEqual([]);
});

test("a lesson without a price is booked at once", async () => {
  const visitor = await Visitor.arrive(place.browser, place.school.site.page);
  await visitor.toForm("Trial lesson");
  await visitor.button("Book").click();
  await visitor.sees("Your lesson is booked");
  await visitor.button("Book another lesson").click();
  await visitor.sees("Which lesson would you like?");
});

test("a page has its own texts, language, lesson and instructor, and hears what happens", async () => {
  const { front, site, lesson, tom } = place.school;
  const asIs = site.edit;
  site.edit = (html) =>
    html
      .replace('lang="en-AU"', 'lang="de"')
      .replace("<booking-widget", `<booking-widget course="${lesson}" instructor="${tom}"`)
      .replace(
        "<noscript",
        '<script type="application/json">{"chooseTime":"Wann passt es?"}</script><noscript',
      );
  front.takeCalls();
  const visitor = await Visitor.arrive(place.browser, site.page);
  site.edit = asIs;
  await visitor.sees("Wann passt es?");
  expect(front.takeCalls()).toHaveLength(2);
  expect(await visitor.text()).toMatch(/75,00\s\$|75,00\sAU\$/);
  const heard = visitor.page.evaluate(
    `new Promise((resolve) => addEventListener("booking-created", (event) => resolve(event.detail.booking.status)))`,
  );
  await visitor.times.first().click();
  for (const [label, value] of Object.entries(visitor.details)) {
    await visitor.widget.getByLabel(label).fill(value);
  }
  await visitor.page.evaluate(`addEventListener("booking-payment", (event) => event.preventDefault())`);
  await visitor.book();
  expect(await heard).toBe("pending");
  await visitor.sees("Your time is held");
});
