import { expect, test } from "vitest";
import { faultsOf, focusedIn, tabTo } from "../axe.ts";
import { useSchoolSite } from "./use-school-site.ts";
import { Visitor } from "./visitor.ts";

const place = useSchoolSite();

test.each([360, 1280])("at %d px axe finds no serious fault on any screen", async (width) => {
  const visitor = await Visitor.arrive(place.browser, place.school.site.page, width);
  await visitor.button("Driving lesson").waitFor();
  expect(await faultsOf(visitor.page)).toEqual([]);
  await visitor.button("Driving lesson").click();
  await visitor.button("Mei Tan").waitFor();
  expect(await faultsOf(visitor.page)).toEqual([]);
  await visitor.button("Mei Tan").click();
  await visitor.widget.getByText("Choose another day").click();
  await visitor.freeDays.first().waitFor();
  expect(await faultsOf(visitor.page)).toEqual([]);
  await visitor.times.first().click();
  await visitor.widget.getByLabel("Name").fill("Asha Rao");
  await visitor.widget.getByLabel("Email").fill("asha@example");
  await visitor.book();
  await visitor.widget.getByText("Please check what is marked.").waitFor();
  expect(await faultsOf(visitor.page)).toEqual([]);
  await visitor.widget.getByLabel("Email").fill(visitor.details.Email);
  await visitor.book();
  await visitor.callPaymentOff();
  expect(await faultsOf(visitor.page)).toEqual([]);
});

test.each([360, 1280])("at %d px the keyboard alone leads from the lesson to the payment", async (width) => {
  const visitor = await Visitor.arrive(place.browser, place.school.site.page, width);
  const { keyboard } = visitor.page;
  await visitor.button("Driving lesson").waitFor();
  await tabTo(visitor.page, /^Driving lesson/);
  await keyboard.press("Enter");
  await visitor.sees("Who would you like to drive with?");
  await tabTo(visitor.page, /^Mei Tan|^M\s*Mei Tan/);
  await keyboard.press("Enter");
  await visitor.sees("When does it suit you?");

  await tabTo(visitor.page, /^Choose another day/);
  await keyboard.press("Enter");
  await visitor.freeDays.first().waitFor();
  await tabTo(visitor.page, /, free$/);
  const first = await focusedIn(visitor.page);
  await keyboard.press("PageDown");
  await visitor.freeDays.nth(20).waitFor();
  await keyboard.press("ArrowRight");
  await keyboard.press("ArrowDown");
  expect(await focusedIn(visitor.page)).toMatch(/, free$/);
  expect(await focusedIn(visitor.page)).not.toBe(first);
  await keyboard.press("Enter");
  await visitor.widget
    .getByRole("heading", { name: (await focusedIn(visitor.page)).replace(", free", "") })
    .waitFor();

  await tabTo(visitor.page, /^\d\d:\d\d$/);
  await keyboard.press("Enter");
  await visitor.sees("Who is the lesson for?");
  await tabTo(visitor.page, /^Name/);
  await keyboard.type("Asha Rao");
  await keyboard.press("Tab");
  await keyboard.type(visitor.details.Email);
  await keyboard.press("Enter");
  await visitor.seesPayment();
});

test("the calendar says which keys move over its days", async () => {
  const visitor = await Visitor.arrive(place.browser, place.school.site.page);
  await visitor.toTimes();
  await visitor.widget.getByText("Choose another day").click();
  await visitor.freeDays.first().waitFor();
  const root = "document.querySelector('booking-widget').shadowRoot";
  const told = `${root}.getElementById(${root}.querySelector('[role=grid]').getAttribute('aria-describedby'))`;
  const shown = () => visitor.page.evaluate<string>(`${told}.checkVisibility({ visibilityProperty: true })`);
  expect(await shown()).toBe(false);
  await tabTo(visitor.page, /, free$/);
  expect(await shown()).toBe(true);
  expect(await visitor.page.evaluate<string>(`${told}.textContent`)).toMatch(/arrow keys.*Page Up/i);
});

test("each screen takes the focus to its heading, but the page's first does not", async () => {
  const visitor = await Visitor.arrive(place.browser, place.school.site.page);
  await visitor.sees("Which lesson would you like?");
  expect(await visitor.page.evaluate("document.activeElement.localName")).toBe("body");
  await visitor.button("Driving lesson").click();
  await visitor.sees("Who would you like to drive with?");
  expect(await focusedIn(visitor.page)).toBe("Who would you like to drive with?");
});
