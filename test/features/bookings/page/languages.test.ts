import { expect, test } from "vitest";
import { daysAhead, newVisit, openSchool, SYDNEY } from "../../school.ts";
import { AT, DATE, openWithGateway } from "../bookings/gateway-school.ts";
import { submit, visit } from "./visitor.ts";

const HINDI = { "Accept-Language": "hi-IN,hi;q=0.9,en;q=0.8" };

test("the page speaks Hindi by `lang`, else by Accept-Language, else English", async () => {
  const { path } = await newVisit(await openSchool(SYDNEY), AT);
  const languageOf = async (query: string, headers = {}) =>
    /<html lang="(\w+)"/.exec((await visit(path + query, headers)).text)?.[1];
  expect(await languageOf("")).toBe("en");
  expect(await languageOf("", HINDI)).toBe("hi");
  expect(await languageOf("?lang=en", HINDI)).toBe("en");
  expect(await languageOf("?lang=hi")).toBe("hi");
  expect(await languageOf("?lang=fr", HINDI)).toBe("hi");
});

test("in Hindi dates and money are written as Hindi writes them, and each link and form keeps the language", async () => {
  const { school } = await openWithGateway("razorpay");
  const { path } = await newVisit(school, AT);
  const { text } = await visit(`${path}?lang=hi`);
  const date = new Intl.DateTimeFormat("hi-IN", {
    ...{ weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" },
  }).format(Date.parse(DATE));
  for (const shown of ["भुगतान बाकी है", "नमस्ते Mia", date, "10:00 से 11:00", "₹75.00", "English"])
    expect(text).toContain(shown);
  const addresses = [...text.matchAll(/(?:href|action)="[^"]*(\/b\/[^"]*)"/g)].map(([, address]) => address);
  expect(addresses.map((address) => address?.replace(path, ""))).toEqual([
    "/pay?lang=hi",
    "/move?lang=hi",
    "/booking.ics?lang=hi",
    "/cancel?lang=hi",
    "?lang=en",
  ]);
  const moved = await visit(`${path}/move?lang=hi`);
  expect(moved.text).toContain("दूसरा समय चुनें");
  expect(moved.text).toContain(`/move?lang=hi&amp;date=${daysAhead(8)}`);
  const pay = await submit(`${path}/pay?lang=hi`, { once: "p" });
  expect(pay.text).toContain("अपनी क्लास का भुगतान करें");
  expect(pay.text).toContain(`${path}/paid?lang=hi"`);
  expect(await submit(`${path}/paid?lang=hi`, {})).toMatchObject({
    status: 303,
    location: expect.stringMatching(/\?lang=hi&paid=0$/),
  });
});

test("every refusal is a Hindi sentence too, at its own status", async () => {
  const school = await openSchool(SYDNEY);
  const { path, booking } = await newVisit(school, AT);
  const none = await submit(`${path}/move?lang=hi`, { once: "1", booking_date: DATE });
  expect(none).toMatchObject({ status: 422, text: expect.stringContaining("कृपया तारीख और समय चुनें।") });
  const pay = await submit(`${path}/pay?lang=hi`, { once: "1" });
  expect(pay).toMatchObject({ status: 422, text: expect.stringContaining("स्कूल अभी ऑनलाइन भुगतान नहीं लेता") });
  await school.company.rows("UPDATE bookings SET status = 'completed' WHERE id = ?", booking.id);
  const late = await submit(`${path}/cancel?lang=hi`, { once: "1" });
  expect(late).toMatchObject({ status: 409, text: expect.stringContaining("यह क्लास अब बदली नहीं जा सकती") });
  const unknown = await visit(`/b/${school.company.slug}/${"x".repeat(43)}`, HINDI);
  expect(unknown).toMatchObject({ status: 404, text: expect.stringContaining("इस पते पर कुछ नहीं है") });
});
