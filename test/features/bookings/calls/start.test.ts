import { expect, test } from "vitest";
import { connectGateway } from "../../../support/gateways.ts";
import { refusal } from "../../refusal.ts";
import { browserOf, newCourse, newInstructor, openSchool, schoolCall, setRules } from "../../school.ts";
import { KEYS } from "../holds/page.ts";

const ORIGIN = "https://book.example.com";

type Started = Record<string, unknown> & { visitor: string; instructors: { id: number; name: string }[] };
type Read = Record<string, unknown>;

test("start answers in one call what five answer, for the parameters of /instructors", async () => {
  const { company } = await openSchool();
  await newInstructor(company, { name: "Tom Walker", transmission: "manual" });
  await newCourse(company, { name: "Another lesson" });
  await connectGateway(company, "razorpay");
  const from = await browserOf(company);
  const read = async (path: string) => (await schoolCall<Read>(company, "GET", path, from)).body;
  for (const query of ["", "?with_next=true", "?transmission=manual&duration_minutes=90&with_next=1"]) {
    const answer = await schoolCall<Started>(company, "GET", `/start${query}`, from);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
    expect(answer.headers.get("ETag")).toBeNull();
    const { settings } = await read("/settings");
    expect(answer.body).toEqual({
      success: true,
      settings,
      courses: (await read("/courses")).courses,
      locations: (await read("/locations")).locations,
      instructors: (await read(`/instructors${query}`)).instructors,
      timezone: (settings as { timezone: string }).timezone,
      visitor: expect.stringMatching(/^[\w-]{43}$/),
      turnstile_site_key: null,
    });
  }
  const some = await schoolCall<Started>(company, "GET", "/start?transmission=manual", from);
  expect(some.body.instructors.map(({ name }) => name)).toContain("Tom Walker");
  const unknown = await schoolCall(company, "GET", "/start?location_id=999", from);
  expect(unknown).toMatchObject({ status: 404, body: { code: "not_found", resource: "location" } });
});

test("the answer has the puzzle's site key if the puzzle is on, and never its secret", async () => {
  const { company } = await openSchool();
  const siteKey = async () => (await schoolCall(company, "GET", "/start")).body.turnstile_site_key;
  const path = "/settings/:company/booking-settings";
  const set = (turnstile: object) => company.call("PATCH", path, { body: { turnstile } });
  for (const lacking of [{ mode: "risky" }, { mode: "always", site_key: KEYS.site_key }])
    expect(await set(lacking)).toMatchObject(
      refusal(422, "validation_failed", { errors: [{ field: "turnstile.mode", code: "keys_missing" }] }),
    );
  const stored = await set({ mode: "risky", ...KEYS });
  expect(stored.body.data).toMatchObject({
    turnstile: { mode: "risky", site_key: KEYS.site_key, secret: { configured: true, last_four: "9xQ2" } },
  });
  expect(stored.text).not.toContain("very-secret");
  const rows = await company.rows("SELECT turnstile_secret FROM booking_settings");
  expect(String(rows[0]?.turnstile_secret)).not.toContain("very-secret");
  expect(await siteKey()).toBe(KEYS.site_key);
  expect((await schoolCall(company, "GET", "/settings")).body.settings).not.toHaveProperty("turnstile");
  await setRules(company, { buffer_minutes: 5 });
  expect((await company.call("GET", path)).body.data).toMatchObject({ turnstile: { mode: "risky" } });
  expect(await set({ secret: null })).toMatchObject({ status: 422 });
  await setRules(company, { turnstile: { mode: "off", site_key: null, secret: null } });
  expect(await siteKey()).toBeNull();
});

test("start takes a publishable key's id from its query, as a preload sends it; no other read does", async () => {
  const { company } = await openSchool();
  const { client_id } = await company.publishableKey(ORIGIN);
  const ask = (path: string, id: string, origin = ORIGIN) =>
    schoolCall(company, "GET", `${path}?client_id=${id}`, { key: null, headers: { Origin: origin } });
  const answer = await ask("/start", client_id);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Access-Control-Allow-Origin")).toBe(ORIGIN);
  expect(await ask("/start", client_id, "https://evil.example")).toMatchObject(
    refusal(403, "origin_not_allowed"),
  );
  const { client_id: secret } = await company.key("bookings.read");
  for (const [path, id] of [
    ["/start", secret],
    ["/courses", client_id],
  ] as const)
    expect(await ask(path, id)).toMatchObject(refusal(401, "missing_credentials"));
});
