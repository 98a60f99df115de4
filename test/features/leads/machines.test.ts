import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { rowCounts } from "../../support/oracles.ts";
import { HUMAN } from "../../support/outside.ts";
import { captured, post, postForm, readLead } from "./leads.ts";

describe("a machine", () => {
  test.each([
    ["fills in the hidden field", { _hp: "x" }],
    ["is too quick", { _elapsed_ms: 2_999 }],
    ["has two addresses for a name", { name: "http://a.example www.b.example" }],
  ])("that %s is answered like anybody, and nothing of it is stored", async (_, fields) => {
    const own = await openCompany();
    const before = await rowCounts(own);
    const answer = must(await post(own, fields), 200);
    expect(answer.body.data).toMatchObject({
      lead_number: expect.stringMatching(/^LEAD-\d{6}$/),
      duplicate: false,
    });
    expect(await rowCounts(own)).toEqual(before);
  });

  test("is not taken for one when it takes three seconds, or has one address in its name", async () => {
    const own = await openCompany();
    await captured(own, { _elapsed_ms: 3_000, _hp: "" });
    must(await postForm(own, [["_elapsed_ms", "3000"]]), 200);
    await captured(own, { name: "mehta https://mehta.example", email: "m@mail.example" });
    expect((await rowCounts(own)).leads).toBe(2);
  });

  test("cannot solve the puzzle that the company asks for", async () => {
    const own = await openCompany();
    const path = "/settings/:company/lead-settings";
    const secret = "0x4AAAAAAA-very-secret-9xQ2";
    const set = must(await own.call("PATCH", path, { body: { turnstile_secret: secret } }), 200);
    expect(set.body.data).toEqual({
      retention_days: null,
      turnstile: { configured: true, last_characters: "9xQ2" },
    });
    expect(set.text).not.toContain("very-secret");
    const stored = await own.rows("SELECT turnstile_secret FROM lead_settings");
    expect(String(stored[0]?.turnstile_secret)).not.toContain("very-secret");
    for (const fields of [{}, { turnstile_token: "" }, { turnstile_token: "a-machine" }])
      expect(await post(own, fields)).toMatchObject({ status: 422, body: { code: "captcha_failed" } });
    expect((await rowCounts(own)).leads).toBe(0);
    await captured(own, { turnstile_token: HUMAN });
    must(await own.call("PATCH", path, { body: { turnstile_secret: null } }), 200);
    await captured(own, { email: "other@mail.example" });
    const read = await readLead(own, 1);
    expect(JSON.stringify(read)).not.toContain(HUMAN);
  });
});
