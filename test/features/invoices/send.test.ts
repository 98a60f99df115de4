import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import { send } from "../../support/http.ts";
import { expectSound } from "../../support/oracles.ts";
import { getInvoice, newCustomer, newInvoice, REGISTERED, refusedFields } from "../commerce.ts";
import { arrived, newAddress, readMessage } from "../messaging/provider.ts";
import { voidInvoice } from "../money.ts";
import { refusal } from "../refusal.ts";

type Sent = { id: string; to: string[]; created_at: string };

const company = await openCompany({ ...REGISTERED, name: "Asha <Traders>" });

const sendInvoice = (id: string, body?: object, headers: Record<string, string> = {}) =>
  company.call<Sent>("POST", `/invoices/:company/${id}/send`, { body, headers });

describe("sending an invoice", () => {
  test("without a body goes to the customer, with a link to its page, and makes a draft sent", async () => {
    const email = newAddress();
    const invoice = await newInvoice(company, (await newCustomer(company, { email })).id);
    const sent = must(await sendInvoice(invoice.id), 202).body.data;
    expect(sent).toMatchObject({
      channel: "email",
      status: "queued",
      invoice_id: invoice.id,
      to: [email],
      queued_count: 1,
    });
    const after = await getInvoice(company, invoice.id);
    expect(after).toMatchObject({ status: "sent" });
    expect(after.sent_at).toBe(sent.created_at);
    const mail = await arrived(email);
    expect(mail.subject).toBe(`Invoice ${invoice.invoice_number} from Asha <Traders>`);
    expect(mail.html).toContain("Asha &lt;Traders&gt;");
    const [, path = ""] = /https?:\/\/[^/]+(\/i\/[\w-]+\/[\w-]{43})/.exec(mail.text) ?? [];
    expect((await send("GET", path)).status).toBe(200);
    expect(await readMessage(company, sent.id)).toMatchObject({
      channel: "email",
      status: "sent",
      to: [email],
    });
    await expectSound(company);
  });

  test("goes to the union of email and emails, each once; a message stands in it as text", async () => {
    const invoice = await newInvoice(company, (await newCustomer(company)).id);
    const [one, two, three] = [newAddress(), newAddress(), newAddress()];
    const body = { email: one, emails: [two, one.toUpperCase(), three], message: "Thank you,\n<b>Asha</b>" };
    const sent = must(await sendInvoice(invoice.id, body), 202).body.data;
    expect(sent).toMatchObject({ to: [one, two, three], queued_count: 3 });
    expect((await arrived(three)).html).toContain("Thank you,<br>&lt;b&gt;Asha&lt;/b&gt;");
  });

  test.each([
    [{ emails: Array.from({ length: 11 }, (_, index) => `${index}@asha.example`) }, "emails"],
    [{ email: "nobody" }, "email"],
    [{ emails: ["nobody"] }, "emails[0]"],
    [{ channel: "sms" }, "channel"],
    [{ message: "x".repeat(1_001) }, "message"],
  ])("refuses %# at its field", async (body, field) => {
    const invoice = await newInvoice(company, (await newCustomer(company)).id);
    expect(Object.keys(refusedFields(await sendInvoice(invoice.id, body)))).toEqual([field]);
    expect((await getInvoice(company, invoice.id)).status).toBe("draft");
  });

  test("is refused without any address, and for a voided invoice", async () => {
    const invoice = await newInvoice(company, (await newCustomer(company)).id);
    expect(await sendInvoice(invoice.id)).toMatchObject(refusal(422, "customer_email_missing"));
    must(await voidInvoice(company, invoice.id), 200);
    const voided = await sendInvoice(invoice.id, { email: newAddress() });
    expect(voided).toMatchObject(refusal(409, "invoice_voided"));
  });

  test("racing a void, is either sent first or refused; nothing goes out of a voided one", async () => {
    for (let round = 0; round < 5; round += 1) {
      const invoice = await newInvoice(company, (await newCustomer(company)).id);
      const email = newAddress();
      const [sent] = await Promise.all([
        sendInvoice(invoice.id, { email }),
        voidInvoice(company, invoice.id),
      ]);
      expect([202, 409]).toContain(sent.status);
      const recipients = "SELECT count(*) AS n FROM message_recipients WHERE address = ?";
      expect(await company.rows(recipients, email)).toEqual([{ n: sent.status === 202 ? 1 : 0 }]);
    }
  });

  test("counts against no messaging limit, and twice with one key is one message", async () => {
    const own = `/settings/:company/keys/${company.admin.client_id}`;
    must(await company.call("PATCH", own, { body: { messaging_daily_cap: 0 } }), 200);
    const invoice = await newInvoice(company, (await newCustomer(company, { email: newAddress() })).id);
    const headers = { "Idempotency-Key": invoice.id };
    const [first, second] = [
      await sendInvoice(invoice.id, undefined, headers),
      await sendInvoice(invoice.id, undefined, headers),
    ];
    expect(must(first, 202).text).toBe(second.text);
    expect(second.headers.get("Idempotent-Replayed")).toBe("true");
  });
});
