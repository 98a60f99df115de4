import axe from "axe-core";
import { expect, test } from "vitest";
import { useSchoolSite } from "./use-school-site.ts";
import { Visitor } from "./visitor.ts";

type Violation = { id: string; impact: string; nodes: { html: string }[] };

const place = useSchoolSite();

/** The serious faults that axe finds in the page, shadow root included. */
async function faults({ page }: Visitor): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<Violation[]>("axe.run().then(({ violations }) => violations)");
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
}

test("axe finds no serious fault on any screen", async () => {
  const visitor = await Visitor.arrive(place.browser, place.school.site.page);
  await visitor.button("Driving lesson").waitFor();
  expect(await faults(visitor)).toEqual([]);
  await visitor.button("Driving lesson").click();
  await visitor.button("Mei Tan").waitFor();
  expect(await faults(visitor)).toEqual([]);
  await visitor.button("Mei Tan").click();
  await visitor.widget.getByText("Choose another day").click();
  await visitor
    .button(/, free$/)
    .first()
    .waitFor();
  expect(await faults(visitor)).toEqual([]);
  await visitor.times.first().click();
  await visitor.widget.getByLabel("Name").fill("Asha Rao");
  await visitor.widget.getByLabel("Email").fill("asha@example");
  await visitor.book();
  await visitor.widget.getByText("Please check what is marked.").waitFor();
  expect(await faults(visitor)).toEqual([]);
  await visitor.widget.getByLabel("Email").fill(visitor.details.Email);
  await visitor.book();
  await visitor.callPaymentOff();
  expect(await faults(visitor)).toEqual([]);
});

test("the keyboard alone leads from the lesson to the payment", async () => {
  const visitor = await Visitor.arrive(place.browser, place.school.site.page);
  const { keyboard } = visitor.page;
  await visitor.button("Driving lesson").waitFor();
  await tabTo(visitor, /^Driving lesson/);
  await keyboard.press("Enter");
  await visitor.sees("Who would you like to drive with?");
  await tabTo(visitor, /^Mei Tan|^M\s*Mei Tan/);
  await keyboard.press("Enter");
  await visitor.sees("When does it suit you?");

  await tabTo(visitor, /^Choose another day/);
  await keyboard.press("Enter");
  await visitor
    .button(/, free$/)
    .first()
    .waitFor();
  await tabTo(visitor, /, free$/);
  const first = await focused(visitor);
  await keyboard.press("PageDown");
  await visitor
    .button(/, free$/)
    .nth(20)
    .waitFor();
  await keyboard.press("ArrowRight");
  await keyboard.press("ArrowDown");
  expect(await focused(visitor)).toMatch(/, free$/);
  expect(await focused(visitor)).not.toBe(first);
  await keyboard.press("Enter");
  await visitor.widget
    .getByRole("heading", { name: (await focused(visitor)).replace(", free", "") })
    .waitFor();

  await tabTo(visitor, /^\d+:\d\d [ap]m$/);
  await keyboard.press("Enter");
  await visitor.sees("Who is the lesson for?");
  await tabTo(visitor, /^Name/);
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
  await visitor
    .button(/, free$/)
    .first()
    .waitFor();
  const root = "document.querySelector('booking-widget').shadowRoot";
  const told = `${root}.getElementById(${root}.querySelector('[role=grid]').getAttribute('aria-describedby'))`;
  const shown = () => visitor.page.evaluate<string>(`${told}.checkVisibility({ visibilityProperty: true })`);
  expect(await shown()).toBe(false);
  await tabTo(visitor, /, free$/);
  expect(await shown()).toBe(true);
  expect(await visitor.page.evaluate<string>(`${told}.textContent`)).toMatch(/arrow keys.*Page Up/i);
});

test("each screen takes the focus to its heading, but the page's first does not", async () => {
  const visitor = await Visitor.arrive(place.browser, place.school.site.page);
  await visitor.sees("Which lesson would you like?");
  expect(await visitor.page.evaluate("document.activeElement.localName")).toBe("body");
  await visitor.button("Driving lesson").click();
  await visitor.sees("Who would you like to drive with?");
  expect(await focused(visitor)).toBe("Who would you like to drive with?");
});

/** The name of what has the focus. */
function focused({ page }: Visitor): Promise<string> {
  return page.evaluate(`(() => {
    const it = document.activeElement.shadowRoot?.activeElement ?? document.activeElement;
    return it.ariaLabel ?? it.labels?.[0]?.innerText ?? it.innerText;
  })()`);
}

async function tabTo(visitor: Visitor, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await visitor.page.keyboard.press("Tab");
    if (name.test(await focused(visitor))) return;
  }
  // Back to the beginning: what stands before the focus is reached by going round.
  throw new Error(`Tab never reached ${name}; it is on ${await focused(visitor)}`);
}
