import { expect, test } from "vitest";
import type { TestCompany } from "../../support/company.ts";
import { play } from "../../support/gateways.ts";
import type { Answer } from "../../support/http.ts";
import { expectSound } from "../../support/oracles.ts";
import { customerBody, line, newCustomer, newInvoice } from "../commerce.ts";
import { CASH, times, today } from "../money.ts";
import { newBoard } from "../projects/board.ts";
import { line as card, openShop, order } from "../storefront/shop.ts";

type Made = Answer<{ id: unknown } | undefined> & { body: { order_id?: number } };
type Kind = { table: string; call: string; body: object; ready?: (company: TestCompany) => Promise<unknown> };

const email = "meera@example.com";
const ERASE = "POST /settings/:company/erasures";
const RETIRED = "409 external_id_retired";
const DUPLICATE = "409 duplicate_external_id";
// What the documentation allows.
const ANSWERS = ["200", "201", RETIRED, DUPLICATE, "503 unavailable", "503 outcome_unknown"];
const customer = { ...customerBody, email };
const checkout = {
  table: "sales_orders",
  call: "POST /storefront/:company/checkout",
  body: { ...order, items: [card] },
};
const items = "/projects/:company/projects/1/work-items";
const paid = { invoice_id: "1", amount: 10, payment_date: today(), payment_mode_id: CASH };
/** How each is made, in a company with a customer, its invoice and a project, and what is done before the race. */
const KINDS = {
  customer: { table: "customers", call: "POST /customers/:company", body: customer },
  "put customer": { table: "customers", call: "PUT /customers/:company/external/own", body: customer },
  invoice: { table: "invoices", call: "POST /invoices/:company", body: { customer_id: "1", items: [line] } },
  payment: { table: "payments", call: "POST /payments/:company", body: paid },
  lead: { table: "leads", call: "POST /leads/:company/capture", body: { name: "Meera", email } },
  order: checkout,
  "paid order": {
    ...checkout,
    ready: async (company) => {
      const [intent] = await company.rows("SELECT gateway_order_id AS id FROM payment_intents");
      await play(company, "razorpay", String(intent?.id), "paid");
    },
  },
  "left order": { ...checkout, ready: (company) => company.rows("DELETE FROM payment_intents") },
  "work item": { table: "work_items", call: `PUT ${items}/external/own`, body: { title: "Fix the tap" } },
} satisfies Record<string, Kind>;

test.each<[kind: keyof typeof KINDS, act: string, body: object | undefined, ...after: string[]]>([
  ["customer", "DELETE /customers/:company/ID", undefined, RETIRED],
  ["customer", ERASE, { email }, RETIRED],
  ["put customer", "DELETE /customers/:company/ID", undefined, RETIRED],
  ["put customer", ERASE, { email }, RETIRED],
  ["invoice", "POST /invoices/:company/ID/void", undefined, RETIRED],
  ["invoice", ERASE, { email }, DUPLICATE],
  ["payment", "POST /payments/:company/ID/refund", undefined, RETIRED],
  ["payment", "POST /invoices/:company/1/void", undefined, RETIRED],
  ["payment", ERASE, { email }, DUPLICATE],
  ["lead", ERASE, { email }, RETIRED],
  ["order", "POST /orders/:company/ID/resolve", { action: "cancel" }, RETIRED],
  ["paid order", "POST /refunds/:company", { order_id: "1", reason: "cancellation" }, RETIRED],
  // Once a payment is open again, the order waits for it.
  ["left order", ERASE, { email }, RETIRED, "200"],
  ["work item", `POST ${items}/ID/transition`, { state: "Gone", state_category: "removed" }, "200"],
])(
  "of 20 at once with one id beside another call there is one record: %s, %s",
  async (kind, act, body, ...after) => {
    const { company } = await openShop();
    await newInvoice(company, (await newCustomer(company, { email })).id);
    await newBoard(company);
    const { table, call, body: said, ready }: Kind = KINDS[kind];
    const ask = (words: string, sent: object | undefined) => {
      const [method = "", path = ""] = words.split(" ");
      return company.call(method, path, sent === undefined ? {} : { body: sent }) as Promise<Made>;
    };
    const create = () => ask(call, call.startsWith("PUT") ? said : { external_id: "own", ...said });
    const count = async () => Number((await company.rows(`SELECT count(*) AS n FROM ${table}`))[0]?.n);
    const before = await count();
    const { data, order_id } = (await create()).body;
    await ready?.(company);
    const acting = ask(act.replace("ID", String(data?.id ?? order_id)), body);
    const answers = await times(20, create);
    expect((await acting).status, (await acting).text).toBeLessThan(300);
    const told = ({ status, body: { code } }: Made) => (status < 300 ? String(status) : `${status} ${code}`);
    for (const answer of answers) expect(ANSWERS, answer.text).toContain(told(answer));
    expect(after).toContain(told(await create()));
    expect(await count()).toBeLessThanOrEqual(before + 1);
    await expectSound(company);
  },
);
