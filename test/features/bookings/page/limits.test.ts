import { expect, test } from "vitest";
import { randomAddress } from "../../../support/http.ts";
import { tally } from "../../money.ts";
import { newVisit, openSchool, type School, SYDNEY } from "../../school.ts";
import { AT } from "../bookings/gateway-school.ts";
import { visit } from "./visitor.ts";

async function feedPath({ company }: School): Promise<string> {
  const body = { name: "All lessons", detail: "busy" };
  const data = await company.make<{ url: string }>("/settings/:company/calendar-feeds", body);
  return new URL(data.url).pathname;
}

/** How often each status came, when a path is opened so often at once from these addresses in turn. */
async function statusesOf(path: string, times: number, addressOf: (time: number) => string) {
  const answers = await Promise.all(
    Array.from({ length: times }, (_, time) => visit(path, { "CF-Connecting-IP": addressOf(time) })),
  );
  return { counts: tally(answers), refused: answers.find(({ status }) => status === 429) };
}

const school = await openSchool(SYDNEY);

test("an address group opens booking pages 60 times a minute, then reads when to try again", async () => {
  const { path } = await newVisit(school, AT);
  // One household: its addresses share a /64.
  const { counts, refused } = await statusesOf(path, 70, (time) => `2001:db8:a:b::${time + 1}`);
  expect(counts).toEqual({ 200: 60, 429: 10 });
  expect(refused?.headers.get("Retry-After")).toMatch(/^\d+$/);
  expect(refused?.text).toContain("This page was opened too often");
  const hindi = { "CF-Connecting-IP": "2001:db8:a:b::1", "Accept-Language": "hi" };
  expect((await visit(path, hindi)).text).toContain("यह पेज बहुत बार खोला गया");
  expect((await visit(path)).status).toBe(200);
});

test("calendars ask for feeds 120 times a minute, and by that use up nothing of the pages", async () => {
  const [feed, { path }] = await Promise.all([
    feedPath(school),
    newVisit(school, { ...AT, start_time: "14:00" }),
  ]);
  const address = randomAddress();
  const { counts } = await statusesOf(feed, 130, () => address);
  expect(counts).toEqual({ 200: 120, 429: 10 });
  expect((await visit(path, { "CF-Connecting-IP": address })).status).toBe(200);
});

test("a feed has 2,000 lessons at most, the earliest of them", async () => {
  const school = await openSchool(SYDNEY);
  const { booking } = await newVisit(school, AT);
  const own = ["id", "operation", "booking_number", "public_token", "start_at", "end_at"];
  const columns = await school.company.rows("SELECT name FROM pragma_table_info('bookings')");
  const others = columns.map(({ name }) => String(name)).filter((name) => !own.includes(name));
  // A second apart, and none of them takes time: the rules of bookings are not what is tried here.
  await school.company.rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2100)
     INSERT INTO bookings (${own.join()}, ${others.join()})
     SELECT 'bkg_' || i, 'op' || i, 'N-' || i, substr(lower(hex(randomblob(22))), 1, 43), start_at + i * 1000, end_at + i * 1000,
       ${others.map((name) => (name === "status" ? "'cancelled'" : name)).join()}
     FROM bookings, n WHERE id = ?`,
    booking.id,
  );
  const { text } = await visit(await feedPath(school));
  expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(2_000);
  const uids = [...text.matchAll(/UID:N-(\d+)\./g)].map(([, number]) => Number(number));
  expect(uids).toEqual(Array.from({ length: 1_999 }, (_, index) => index + 1));
});
