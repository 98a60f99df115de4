import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { addOverride, book } from "../../features/school.ts";
import { nextOf, setEvening } from "./school.ts";
import { Site } from "./site.ts";
import { useSchoolSite } from "./use-school-site.ts";
import { Visitor } from "./visitor.ts";

const place = useSchoolSite();

function arrive(query = ""): Promise<Visitor> {
  return Visitor.arrive(place.browser, place.school.site.page + query);
}

test("the same page on an origin that the key does not list is refused, and says so", async () => {
  const elsewhere = await Site.open();
  elsewhere.values = place.school.site.values;
  const visitor = await Visitor.arrive(place.browser, elsewhere.page);
  const told = `This website may not take bookings: its booking key does not allow ${elsewhere.origin}`;
  await visitor.widget.getByText(told).waitFor();
  expect(visitor.complaints.join()).toContain("blocked by CORS policy");
  elsewhere.close();
});

test("a dead line is distinguished from a refusal, and can be tried again", async () => {
  place.school.front.meet("GET", /start|health/, "lose call", Infinity);
  const visitor = await arrive();
  await visitor.widget.getByText("The school cannot be reached").waitFor();
  place.school.front.mend();
  await visitor.button("Try again").click();
  await visitor.sees("Which lesson would you like?");
});

test("a time that someone else took leads back to the times that are left", async () => {
  await setEvening(place.school.company);
  const visitor = await arrive();
  await visitor.toForm();
  const free = await takeFirstTime(place.school.mei);
  await visitor.book();
  await visitor.widget.getByText("Someone else has just booked that time.").waitFor();
  await visitor.sees("When does it suit you?");
  expect(await visitor.times.allTextContents()).not.toContain(free);
  await visitor.times.first().click();
  expect(await visitor.widget.getByLabel("Name").inputValue()).toBe("Asha Rao");
  await place.school.company.clock(0);
});

test("where it was the last of its day, the next free day's times are shown", async () => {
  const { company, tom, lesson } = place.school;
  await setEvening(company);
  const { date } = await nextOf(company, tom);
  const hour = { date, is_available: true, start: "09:00", end: "10:00" };
  await addOverride({ company, instructorId: tom, courseId: lesson }, hour);
  const visitor = await arrive();
  await visitor.toForm("Driving lesson", "Tom Walker");
  await takeFirstTime(tom);
  await visitor.book();
  await visitor.widget.getByText("Someone else has just booked that time.").waitFor();
  expect(await visitor.times.count()).toBe(8);
  const dayAfter = new Date(Date.parse(date) + 86_400_000).getUTCDate();
  expect(await visitor.text()).toMatch(new RegExp(`Free on \\w+, ${dayAfter} `));
  await visitor.widget.locator("[aria-pressed='true']", { hasText: new RegExp(`^${dayAfter}$`) }).waitFor();
  await company.clock(0);
});

test.each([
  [429, "rate_limited"],
  [503, "unavailable"],
])("after a %d it waits as long as Retry-After says", async (status, code) => {
  const visitor = await arrive();
  await visitor.button("Driving lesson").click();
  place.school.front.meet("GET", /dates/, { status, code, retryAfter: 1 });
  await visitor.button("Mei Tan").click();
  await visitor.widget.getByText("We try again in 1 s.").waitFor();
  await visitor.sees("When does it suit you?");
});

test("a booking whose answers are lost is sent again under one key, and is one booking", async () => {
  const before = (await place.school.bookings()).length;
  const visitor = await arrive();
  await visitor.toForm();
  place.school.front.meet("POST", /bookings$/, "lose answer");
  place.school.front.meet("POST", /bookings$/, "lose call");
  place.school.front.meet("POST", /bookings$/, "lose answer");
  place.school.front.takeCalls();
  await visitor.book();
  await visitor.seesPayment();
  const sent = place.school.front.takeCalls(/bookings$/);
  expect(sent).toHaveLength(4);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  expect((await place.school.bookings()).length).toBe(before + 1);
});

test("while it is unknown what became of a booking there is no way to another, not by loading the page anew", async () => {
  const before = (await place.school.bookings()).length;
  const visitor = await arrive();
  await visitor.toForm();
  const busy = { status: 429, retryAfter: 60, code: "rate_limited" };
  place.school.front.meet("POST", /bookings$/, "lose answer");
  place.school.front.meet("POST", /bookings$/, busy, Infinity);
  await visitor.book();
  await visitor.sees("We did not hear back");
  expect(await visitor.widget.getByRole("button").allTextContents()).toEqual(["Try again"]);
  place.school.front.mend();
  await visitor.page.reload();
  await visitor.seesPayment();
  expect((await place.school.bookings()).length).toBe(before + 1);
});

test("a field that the API refuses is marked, with what is wrong with it", async () => {
  const visitor = await arrive();
  visitor.details.Email = "asha@example";
  await visitor.toForm();
  await visitor.book();
  await visitor.widget.getByText("Please check what is marked.").waitFor();
  const email = visitor.widget.getByLabel("Email");
  expect(await email.getAttribute("aria-invalid")).toBe("true");
  expect(await visitor.text()).toContain("Enter an email address such as name@example.com.");
  expect(await visitor.text()).not.toContain("must be");
  expect(await email.inputValue()).toBe("asha@example");
});

test("in Hindi a refused field says what to enter in Hindi", async () => {
  place.school.site.edit = (html) =>
    html.replace("booking-widget.js", "booking-widget.hi.js").replace('lang="en-AU"', 'lang="hi"');
  const visitor = await arrive();
  await visitor.button("Driving lesson").click();
  await visitor.button("Mei Tan").click();
  await visitor.times.first().click();
  await visitor.widget.getByLabel("नाम").fill("आशा राव");
  await visitor.widget.getByLabel("फ़ोन").fill("call me");
  await visitor.button(/बुक करें/).click();
  await visitor.widget.getByText("7 से 15 अंकों का फ़ोन नंबर लिखें।").waitFor();
  expect(await visitor.text()).not.toContain("must be");
  place.school.site.edit = (html) => html;
});

test("an address that names no booking leads to a new one", async () => {
  const visitor = await arrive("?booking=bkg_unknown");
  await visitor.widget.getByText("There is no such booking.").waitFor();
  await visitor.sees("Which lesson would you like?");
  expect(visitor.page.url()).toBe(place.school.site.page);
});

/** Books an instructor's first free time as another customer would, and gives it as the widget shows it. */
async function takeFirstTime(instructorId: number): Promise<string> {
  const { company, lesson } = place.school;
  const next = await nextOf(company, instructorId);
  const customer = { name: "Ravi Iyer", email: `ravi-${randomUUID()}@example.com` };
  const fields = { customer, booking_date: next.date, start_time: next.start };
  const answer = await book({ company, instructorId, courseId: lesson }, fields);
  expect(answer.status).toBe(201);
  const time = new Date(`2000-01-01T${next.start}Z`);
  return time.toLocaleTimeString("en-AU", { timeZone: "UTC", hour: "numeric", minute: "2-digit" });
}
