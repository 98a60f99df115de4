import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { useSchoolSite } from "./booking/use-school-site.ts";

const place = useSchoolSite();

/** The client's modules as one script, whose exports are `client`. */
async function script(): Promise<string> {
  const entryPoints = [join(import.meta.dirname, "../../src/client/index.ts")];
  const { outputFiles } = await build({ entryPoints, bundle: true, globalName: "client", write: false });
  return outputFiles[0]?.text ?? "";
}

test("a page reads and books with the client and a publishable key", async () => {
  const { school, browser } = place;
  const page = await browser.newPage();
  await page.goto(school.site.page);
  await page.evaluate(`${await script()}; globalThis.client = client`);
  const values = {
    baseUrl: `${school.front.origin}/v1`,
    publishableKey: String(school.site.values?.client_id),
    company: school.company.slug,
    lesson: school.lesson,
    instructor: school.mei,
  };
  const seen = await page.evaluate(async ({ company, lesson, instructor, ...options }) => {
    const { client } = globalThis as unknown as { client: typeof import("#client") };
    const api = client.createCompanyClient(options);
    const params = { path: { company } };
    const { courses } = await api.get("/schools/{company}/courses", { params });
    const book = (booking_date: string) =>
      api.post("/schools/{company}/bookings", {
        params,
        body: {
          customer: { name: "Mia Chen", email: "mia@example.com", phone: "0412 345 678", postcode: "2135" },
          product_id: lesson,
          instructor_id: instructor,
          booking_date,
          start_time: "11:00",
          pickup_address: "12 The Boulevarde, Strathfield",
        },
      });
    const refused = await book("2020-01-01").catch((error) => [error.name, error.code]);
    const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
    return { courses: courses.map(({ name }) => name), refused, booked: (await book(inAWeek)).success };
  }, values);
  expect(seen.courses).toContain("Driving lesson");
  expect(seen.refused).toEqual(["ApiError", "slot_not_offered"]);
  expect(seen.booked).toBe(true);
  await page.close();
});
