import { describe, expect, inject, test } from "vitest";
import type { Received } from "../../../src/sandbox/message-providers/inbox.ts";
import { must, type TestCompany } from "../../support/company.ts";
import {
  accepted,
  arrived,
  happen,
  newAddress,
  openWith,
  readMessage,
  received,
  sendEmail,
} from "./provider.ts";

const MARKETING = { purpose: "marketing", html: "<p>All lessons at half the price</p>" };
const SUPPRESSIONS = "/settings/:company/suppressions";

/** The address that an e-mail names to unsubscribe at. */
function addressIn({ details }: Received): string {
  const [, url = ""] = /^<(.+)>$/.exec(String(details.list_unsubscribe)) ?? [];
  return url;
}

async function sent(company: TestCompany, fields: object): Promise<Received> {
  const to = newAddress();
  accepted(await sendEmail(company, { to, ...fields }));
  return arrived(to);
}

const suppressed = (company: TestCompany) => company.read<{ email: string }[]>(SUPPRESSIONS);
/** Whether an e-mail goes to an address. */
const goes = async (company: TestCompany, to: string, fields: object = {}) => {
  const { body } = await sendEmail(company, { to, ...fields });
  return body.data.sent_count === 1;
};

describe("a marketing e-mail", () => {
  test.each(["resend", "postmark"] as const)(
    "by %s carries both headers, and a link at its foot",
    async (kind) => {
      const company = await openWith(kind);
      const mail = await sent(company, MARKETING);
      const url = addressIn(mail);
      expect(url).toMatch(new RegExp(`^${inject("service").url}/u/${company.slug}/[\\w-]{43}$`));
      expect(mail.details.list_unsubscribe_post).toBe("List-Unsubscribe=One-Click");
      expect(mail.html).toContain(`<a href="${url}">Unsubscribe</a></p></body></html>`);
      expect(mail.text).toContain(`\n\nUnsubscribe: ${url}`);
      const plain = await sent(company, {});
      expect([addressIn(plain), plain.html?.includes("Unsubscribe")]).toEqual(["", false]);
    },
  );

  test("is unsubscribed from with one click: no marketing any more, and everything else", async () => {
    const company = await openWith("resend");
    const mail = await sent(company, MARKETING);
    for (let again = 0; again < 2; again += 1) expect(await happen(mail.id, "unsubscribe")).toBe(200);
    expect(await suppressed(company)).toMatchObject([
      { email: mail.to, scope: "marketing", reason: "unsubscribe", expires_at: null },
    ]);
    expect(await goes(company, mail.to.toUpperCase(), MARKETING)).toBe(false);
    expect(await goes(company, mail.to)).toBe(true);
    expect(await goes(company, newAddress(), MARKETING)).toBe(true);
    // Taken off the list, the person is written to again.
    const [{ id } = { id: "" }] = (await suppressed(company)) as unknown as { id: string }[];
    must(await company.call("DELETE", `${SUPPRESSIONS}/${id}`), 200);
    expect(await goes(company, mail.to, MARKETING)).toBe(true);
  });

  test("that waits for its time does not go to a person who unsubscribed meanwhile; a bounce stops all", async () => {
    const company = await openWith("resend");
    const mail = await sent(company, MARKETING);
    const send_at = new Date(Date.now() + 3_600_000).toISOString();
    const later = accepted(await sendEmail(company, { ...MARKETING, to: mail.to, send_at }));
    expect(await happen(mail.id, "unsubscribe")).toBe(200);
    await company.clock(3_601);
    await expect
      .poll(async () => (await readMessage(company, later)).error?.code, { timeout: 20_000 })
      .toBe("suppressed");
    expect(await received(mail.to)).toHaveLength(1);
    expect(await happen(mail.id, "failed")).toBe(200);
    expect(await goes(company, mail.to)).toBe(false);
    expect((await suppressed(company)).length).toBe(2);
  });
});

describe("the page /u/{company}/{token}", () => {
  test("shows one button and changes nothing; the button unsubscribes, without cookies or redirects", async () => {
    const company = await openWith("resend");
    const mail = await sent(company, { ...MARKETING, subject: "<b>Sale</b>" });
    const url = addressIn(mail);
    for (const method of ["GET", "HEAD"]) {
      const shown = await fetch(url, { method });
      expect(shown.status).toBe(200);
      expect(shown.headers.get("Content-Security-Policy")).toContain("form-action 'self'");
      expect(shown.headers.get("Cache-Control")).toBe("private, no-store");
    }
    const page = await (await fetch(url)).text();
    expect(page.match(/<button/g)).toHaveLength(1);
    expect(page).toContain('<form method="post">');
    expect(page).toContain(mail.to);
    expect(await suppressed(company)).toEqual([]);
    const pressed = await fetch(url, { method: "POST", redirect: "manual" });
    expect([pressed.status, pressed.headers.get("Set-Cookie"), pressed.headers.get("Location")]).toEqual([
      200,
      null,
      null,
    ]);
    expect(await pressed.text()).toContain("Unsubscribed");
    expect(await suppressed(company)).toHaveLength(1);
    // Opened again it says that it is done, until staff take the address off the list.
    const again = await (await fetch(url)).text();
    expect([again.includes("<h1>Unsubscribed"), again.includes("<button")]).toEqual([true, false]);
    const [{ id } = { id: "" }] = (await suppressed(company)) as unknown as { id: string }[];
    must(await company.call("DELETE", `${SUPPRESSIONS}/${id}`), 200);
    expect(await (await fetch(url)).text()).toContain("<button");
  });

  test("of a wrong token, of another recipient or another company is 404, and writes nothing", async () => {
    const [company, other] = [await openWith("resend"), await openWith("resend")];
    const url = addressIn(await sent(company, MARKETING));
    await sent(other, MARKETING);
    const last = url.at(-1);
    const wrong = [
      url.slice(0, -1) + (last === "A" ? "E" : "A"),
      url.replace(company.slug, other.slug),
      url.replace(/.{43}$/, "A".repeat(43)),
      url.replace(/.{43}$/, "token"),
      url.replace(company.slug, "no-such-company"),
    ];
    for (const address of wrong)
      for (const method of ["GET", "POST"]) expect((await fetch(address, { method })).status).toBe(404);
    expect([await suppressed(company), await suppressed(other)]).toEqual([[], []]);
  });
});

test("an address is listed for marketing by hand beside an entry for all", async () => {
  const company = await openWith("resend");
  const email = newAddress();
  const list = (body: object) => company.call("POST", SUPPRESSIONS, { body: { email, ...body } });
  expect(must(await list({ scope: "marketing" }), 201).body.data).toMatchObject({ scope: "marketing" });
  expect((await list({ scope: "marketing" })).status).toBe(409);
  expect(await goes(company, email)).toBe(true);
  expect(must(await list({}), 201).body.data).toMatchObject({ scope: "all" });
  expect(await goes(company, email)).toBe(false);
});
