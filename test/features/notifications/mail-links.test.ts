import { expect, test } from "vitest";
import { hmacOf } from "#core/secrets/hmac.ts";
import { type LinkKind, linkTo } from "../../../src/features/notifications/link/link.ts";
import type { Received } from "../../../src/sandbox/message-providers/inbox.ts";
import { controlRows, must, openCompany, type TestCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { MASTER_KEY } from "../../support/service.ts";
import { submit, visit } from "../bookings/page/visitor.ts";
import { erase } from "../erasures/person.ts";
import { applied, newJob, onlyApplication } from "../hiring.ts";
import { captured, readLead } from "../leads/leads.ts";
import { arrived, newAddress } from "../messaging/provider.ts";
import { free, pay, read } from "../storefront/orders/review.ts";
import { openShop, placeOrder, placeOrders, productLine } from "../storefront/shop.ts";
import { EMAIL, mailsTo } from "./lesson-mails.ts";
import { onlyRules, setNotifications, settledLines } from "./notified.ts";

const DAY = 24 * 3_600_000;
const LINK = /http[^\s"]+\/n\/[^\s"<]+/;

/** The path of the one link of a mail, which both its parts have. */
function pathIn({ html, text }: Received): string {
  const link = LINK.exec(html ?? "")?.[0] ?? "";
  expect(text).toContain(link);
  return new URL(link).pathname;
}

/** The path that the service would sign. */
async function pathTo(company: TestCompany, target: { kind: LinkKind; id: number }, now = Date.now()) {
  const [found] = await controlRows("SELECT id FROM companies WHERE slug = ?", company.slug);
  const ctx = {
    company: {
      ...{ id: Number(found?.id), slug: company.slug },
      name: "",
      country: "IN",
      currency: "INR",
      timezone: "UTC",
    },
    ...{
      origin: "",
      now,
      hmacs: async (purpose: string, text: string) => [await hmacOf(MASTER_KEY, purpose, text)],
    },
  } as Parameters<typeof linkTo>[0];
  return linkTo(ctx, target.kind, target.id);
}

/** What a page's button sends. */
async function buttonOf(path: string, act: string) {
  const { text } = await visit(path);
  expect(text).toContain(`name="act" value="${act}"`);
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? "";
  const to = /action="([^"]+)"/.exec(text)?.[1] ?? "";
  return { to: new URL(to).pathname, fields: { once: field("once"), seen: field("seen"), act } };
}

async function press(path: string, act: string): Promise<number> {
  const { to, fields } = await buttonOf(path, act);
  return (await submit(to, fields)).status;
}

const lastValues = async (company: TestCompany) =>
  (await company.read<{ values: object[] }[]>("/settings/:company/audit-log?limit=1"))[0]?.values;
const auditOf = (company: TestCompany, action: string) =>
  company.rows("SELECT actor, record FROM audit_log WHERE action = ? AND actor NOT LIKE 'ck_%'", action);

/** A company whose people get these mails, and their address. */
async function openOffice(...rules: string[]) {
  const office = newAddress("office");
  const company = await openCompany({ email: office });
  await onlyRules(company, Object.fromEntries(rules.map((rule) => [rule, EMAIL])));
  return { company, office };
}

test("the mail of a new enquiry leads to it: opening changes nothing, one press closes it, and twice is once", async () => {
  const { company, office } = await openOffice("lead_received", "lead_acknowledged");
  const email = newAddress("person");
  const { id } = await captured(company, { email, message: "Do you <b>teach</b> on Sundays?" });
  const path = pathIn(await arrived(office));
  expect((await arrived(email)).html).not.toMatch(LINK);
  const state = () => company.rows("SELECT leads.*, (SELECT count(*) FROM audit_log) AS n FROM leads");
  const before = await state();
  const page = await visit(path);
  expect(page.text).toContain("Do you &lt;b&gt;teach&lt;/b&gt; on Sundays?");
  expect(page.text).toContain(email);
  expect(Object.fromEntries(page.headers)).toMatchObject({
    "cache-control": "private, no-store",
    "x-robots-tag": "noindex",
    "referrer-policy": "no-referrer",
    "content-security-policy": expect.stringContaining("default-src 'none'"),
  });
  expect((await visit(`${path}?lang=hi`)).text).toContain("पूछताछ");
  const [first, second] = [await buttonOf(path, "converted"), await buttonOf(path, "lost")];
  expect(await state()).toEqual(before);
  for (const _ of ["once", "twice"]) expect((await submit(first.to, first.fields)).status).toBe(303);
  expect(await auditOf(company, "closeLead")).toEqual([{ actor: "mail_link", record: String(id) }]);
  expect(await lastValues(company)).toEqual([{ field: "status", from: "new", to: "converted" }]);
  const refused = await submit(second.to, second.fields);
  expect(refused.status).toBe(409);
  expect(refused.text).toContain("It has changed meanwhile");
  expect(await readLead(company, id)).toMatchObject({ status: "converted" });
  expect((await visit(path)).text).toContain("Nothing can be done here");
});

test("a press is refused where the thing is no longer what its page showed", async () => {
  const { company } = await openOffice();
  const { id } = await captured(company, { message: "One" });
  const path = await pathTo(company, { kind: "lead", id });
  const { to, fields } = await buttonOf(path, "lost");
  await captured(company, { message: "Two" });
  expect((await submit(to, fields)).status).toBe(409);
  expect((await submit(to, { ...fields, once: "2", act: "erase" })).status).toBe(409);
  expect(await readLead(company, id)).toMatchObject({ status: "new" });
  expect(await press(path, "lost")).toBe(303);
});

test("the mail of an application leads to it and its file, and takes it into review, and opens nothing else", async () => {
  const { company, office } = await openOffice("application_received", "application_acknowledged");
  const { slug } = await newJob(company);
  const email = newAddress("applicant");
  const { id } = await applied(company, slug, { first_name: "Meera", email });
  const path = pathIn(await arrived(office));
  expect((await arrived(email)).html).not.toMatch(LINK);
  const page = await visit(path);
  for (const said of ["Welder", "Meera", email, "resume.pdf"]) expect(page.text).toContain(said);
  const file = await visit(`${path}/resume`);
  expect(file.text).toMatch(/^%PDF/);
  expect(Object.fromEntries(file.headers)).toMatchObject({
    "content-disposition": 'attachment; filename="resume.pdf"',
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "x-robots-tag": "noindex",
  });
  expect(await press(path, "in_review")).toBe(303);
  expect(await onlyApplication(company)).toMatchObject({ status: "in_review" });
  expect(await auditOf(company, "updateApplication")).toEqual([{ actor: "mail_link", record: String(id) }]);
  expect(await lastValues(company)).toEqual([{ field: "status", from: "received", to: "in_review" }]);
  expect((await submit(`${path}/lead`, { once: "1", act: "lost" })).status).toBe(404);
  const lead = await pathTo(company, { kind: "lead", id });
  expect((await visit(`${lead}/resume`)).status).toBe(404);
  await erase(company, { email });
  const gone = await visit(path);
  expect(gone.status).toBe(410);
  expect(gone.text).toContain("was deleted or erased");
  expect(gone.text).not.toContain("Meera");
  expect((await visit(`${path}/resume`)).status).toBe(404);
});

test("the mail of orders to review leads to each: one is done by a press, one is invoiced, and none gives money back", async () => {
  const shop = await openShop();
  const { company } = shop;
  const office = newAddress("office");
  await setNotifications(company, { company_recipients: [office] });
  await onlyRules(company, { order_review: EMAIL, lead_received: EMAIL });
  const items = [await productLine(company, { track_stock: true, opening_stock: 1 })];
  const [sold, oversold] = await placeOrders(company, 2, { items });
  const wrong = await placeOrder(company, { items: [free(100)] });
  const held = await placeOrder(company, { items: [free(1_000)], tax_amount: 450 });
  await pay(shop, sold);
  await pay(shop, oversold);
  await pay(shop, wrong, { amount: 1 });
  await pay(shop, held);
  // Its hour ends now; a new enquiry starts the job.
  await company.rows("UPDATE notifications SET due_at = ? WHERE rule = 'order_review'", Date.now() - 1);
  await captured(company);
  const mails = await mailsTo(office, 2);
  const notice = await visit(pathIn(mails.find(({ subject }) => subject?.includes("rders")) as Received));
  const pageOf = (number: string) =>
    new URL(new RegExp(`href="([^"]+)">${number}<`).exec(notice.text)?.[1] ?? "").pathname;
  expect(await press(pageOf(oversold.order_number), "dismiss")).toBe(303);
  expect(await press(pageOf(held.order_number), "invoice")).toBe(303);
  expect((await visit(pageOf(wrong.order_number))).text).toMatch(/amount_mismatch.*Nothing can be done here/);
  expect(await read(shop, oversold.order_id)).toMatchObject({ review_code: null });
  expect(await read(shop, held.order_id)).toMatchObject({ status: "invoiced" });
  expect(await auditOf(company, "resolveOrder")).toMatchObject([
    { actor: "mail_link" },
    { actor: "mail_link" },
  ]);
  await expectSound(company);
});

test("the mail of messages that came to one open enquiry leads to it, and that of changed accounts shows how they are", async () => {
  const { company, office } = await openOffice("lead_repeated");
  for (const message of ["One", "Two"]) await captured(company, { message });
  await company.rows("UPDATE notifications SET due_at = ?", Date.now() - 1);
  const body = { upi_id: "asha@bank", bank_account_number: "123456789012" };
  must(await company.call("PATCH", "/settings/:company/profile", { body }), 200);
  const [repeated, changed] = (await mailsTo(office, 2)).toSorted((one) =>
    one.subject?.startsWith("More") ? -1 : 1,
  );
  const page = await visit(pathIn(repeated as Received));
  expect(page.text).toMatch(/<h1>Enquiry.*Two/);
  const accounts = await visit(pathIn(changed as Received));
  expect(accounts.text).toMatch(/upi id: asha@bank.*bank account number: …9012.*Nothing can be done here/);
  expect(accounts.text).not.toContain("<form");
});

test("a link ends after 14 days, opens in its own company alone, and cannot be made up; phones get none", async () => {
  const { company } = await openOffice();
  const other = await openCompany();
  const { id } = await captured(company);
  const target = { kind: "lead" as const, id };
  const expired = await pathTo(company, target, Date.now() - 14 * DAY);
  expect((await visit(await pathTo(company, target, Date.now() - 13 * DAY))).status).toBe(200);
  const page = await visit(expired);
  expect([page.status, page.text.includes("expired")]).toEqual([410, true]);
  expect((await submit(`${expired}/lead`, { once: "1", act: "lost" })).status).toBe(404);
  const path = await pathTo(company, target);
  const changed = path.replace(/.$/, (last) => (last === "A" ? "E" : "A"));
  for (const wrong of [changed, path.replace(company.slug, other.slug)])
    expect((await visit(wrong)).status).toBe(404);
  const text = "/settings/:company/notification-templates/lead_received/sms/en";
  const sms = await company.call("PUT", text, { body: { text: "See {{notice.link}}", template_id: "1" } });
  expect(sms.body.code).toBe("template_invalid");
  await settledLines(company);
});
