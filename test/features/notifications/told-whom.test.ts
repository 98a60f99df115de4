import { describe, expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import type { Answer } from "../../support/http.ts";
import { connect, newAddress, received } from "../messaging/provider.ts";
import { settledLines } from "./notified.ts";

const ZONE = "Asia/Kolkata";
const PROFILE = "/settings/:company/profile";

/** The mails to an address that have a line. */
const linesAt = async (address: string, line: string) =>
  (await received(address)).filter(({ text }) => text.includes(line));

const BANK = {
  bank_name: "New Bank",
  bank_account_name: "Asha",
  bank_account_number: "000011112222",
  bank_ifsc: "HDFC0001234",
};

describe("a notice of another account reaches the owner", () => {
  test.each<[string, (company: TestCompany, office: string, thief: string) => Promise<Answer>]>([
    [
      "whose address is suppressed",
      (company, office) =>
        company.call("POST", "/settings/:company/suppressions", { body: { email: office, scope: "all" } }),
    ],
    [
      "who is no longer among the receivers",
      (company, _office, thief) =>
        company.call("PATCH", "/settings/:company/notifications", { body: { company_recipients: [thief] } }),
    ],
    [
      "whose address in the profile was replaced twice",
      async (company, _office, thief) => {
        must(await company.call("PATCH", PROFILE, { body: { email: newAddress() } }), 200);
        return company.call("PATCH", PROFILE, { body: { email: thief } });
      },
    ],
  ])("%s", async (_who, hide) => {
    const [office, thief] = [newAddress(), newAddress()];
    const company = await openCompany({ email: office });
    await connect(company, "http-mail");
    expect((await hide(company, office, thief)).status).toBeLessThan(300);
    await settledLines(company);
    must(await company.call("PATCH", PROFILE, { body: BANK }), 200);
    await expect.poll(() => linesAt(office, "bank name: – → New Bank")).not.toEqual([]);
  });

  test("with the id of the key that did it, where the zone's clocks stood, and both addresses where it was one", async () => {
    const [office, other] = [newAddress(), newAddress()];
    const company = await openCompany({ email: office });
    await connect(company, "http-mail");
    must(await company.call("PATCH", PROFILE, { body: { email: other } }), 200);
    const told = async () =>
      (await received(office)).find(({ text }) => text.includes(`email: ${office} → ${other} (`));
    await expect.poll(told).toBeDefined();
    expect((await told())?.text).toMatch(new RegExp(`${company.admin.client_id}, .*\\(${ZONE}\\)`));
  });

  test.each<[string, string, object, string]>([
    ["POST", "payment-modes", { name: "Pay to thief@upi", mode_type: "upi" }, "name: – → Pay to thief@upi"],
    [
      "POST",
      "sms-templates",
      { template_id: "1107161234567890123", text: "Pay to thief" },
      "text: – → Pay to",
    ],
    ["PATCH", "notifications", { from_name: "Pay to thief" }, "from name: – → Pay to thief"],
    ["PATCH", "profile", { address: "Pay to thief@upi" }, "address: – → Pay to thief@upi"],
    ["PATCH", "profile", { upi_id: "thief@upi" }, "upi id: – → thief@upi"],
    ["PATCH", "profile", { invoice_prefix: "TH" }, "invoice prefix: "],
    ["PATCH", "booking-settings", { refund_on_cancel: "full" }, "refund on cancel: off → full"],
  ])("also by %s %s", async (method, setting, body, line) => {
    const office = newAddress();
    const company = await openCompany({ email: office });
    await connect(company, "http-mail");
    expect((await company.call(method, `/settings/:company/${setting}`, { body })).status).toBeLessThan(300);
    await expect.poll(() => linesAt(office, line)).not.toEqual([]);
  });
});
