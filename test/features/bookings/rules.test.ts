import { describe, expect, test } from "vitest";
import { openCompany } from "../../support/company.ts";
import { expectRefused } from "../refusal.ts";
import { SYDNEY, schoolCall } from "../school.ts";

type Fields = Record<string, unknown>;
const SETTINGS = "/settings/:company";

const company = await openCompany(SYDNEY);

describe("the booking rules", () => {
  const DEFAULTS = {
    timezone: "Australia/Sydney",
    currency: "AUD",
    slot_length_minutes: 60,
    slot_step_minutes: 60,
    buffer_minutes: 15,
    min_notice_minutes: 120,
    advance_days: 90,
    hold_minutes: 15,
    pending_hours: 48,
    cancel_window_hours: 24,
    default_radius_km: 15,
    online_payment_enabled: false,
    confirm_free: false,
    updated_at: expect.stringMatching(/^\d{4}-/),
  };

  test("begin with the defaults, and a booking page may read them", async () => {
    const own = await openCompany(SYDNEY);
    expect((await own.call("GET", `${SETTINGS}/booking-settings`)).body.data).toEqual({
      ...DEFAULTS,
      issue_invoices: null,
      refund_on_cancel: "off",
      turnstile: { mode: "off", site_key: null, secret: { configured: false, last_four: null } },
    });
    expect(JSON.parse((await schoolCall(own, "GET", "/settings")).text)).toEqual({
      success: true,
      settings: DEFAULTS,
    });
  });

  test("change by the fields sent; the step follows the length until it is set, the zone the company's", async () => {
    const own = await openCompany();
    const patch = (body: Fields) => own.change(`${SETTINGS}/booking-settings`, body);
    expect(await patch({ slot_length_minutes: 45 })).toMatchObject({
      slot_step_minutes: 45,
      buffer_minutes: 15,
    });
    expect(await patch({ slot_step_minutes: 15, timezone: "Asia/Dubai" })).toMatchObject({
      slot_length_minutes: 45,
      slot_step_minutes: 15,
      timezone: "Asia/Dubai",
    });
    expect(await patch({ slot_step_minutes: null, timezone: null })).toMatchObject({
      slot_step_minutes: 45,
      timezone: "Asia/Kolkata",
    });
  });

  test.each([
    ["slot_length_minutes", 14, "too_small"],
    ["slot_length_minutes", 481, "too_big"],
    ["slot_step_minutes", 4, "too_small"],
    ["buffer_minutes", -1, "too_small"],
    ["advance_days", 367, "too_big"],
    ["hold_minutes", 0, "too_small"],
    ["timezone", "Mars/Base", "invalid_timezone"],
    ["timezone", "+05:30", "invalid_timezone"],
    ["default_radius_km", 0, "too_small"],
  ])("%s of %j is 422 %s", async (field, value, code) => {
    const answer = await company.call("PATCH", `${SETTINGS}/booking-settings`, { body: { [field]: value } });
    expectRefused(answer, { [field]: code });
  });
});
