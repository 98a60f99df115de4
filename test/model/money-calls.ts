import { randomUUID } from "node:crypto";
import { must, type TestCompany } from "../support/company.ts";
import type { Answer } from "../support/http.ts";
import type { Command } from "./money-commands.ts";

const RETRIES = 10;

/** What a plan has made so far, by id. */
export class Made {
  readonly customers: string[] = [];
  readonly products: string[] = [];
  readonly invoices: string[] = [];
  readonly payments: string[] = [];
}

/** Runs one command; undefined when there is nothing yet that it could act on. */
export async function run(company: TestCompany, made: Made, command: Command): Promise<string | undefined> {
  // What the documentation asks of a client whose answer was lost: the same call again, with the same key.
  const headers = { "Idempotency-Key": randomUUID() };
  let answer = await issue(company, made, command, headers);
  for (let retry = 0; answer?.status === 503 && retry < RETRIES; retry += 1)
    answer = await issue(company, made, command, headers);
  if (answer === undefined) return undefined;
  remember(made, command, answer);
  return answer.status < 300 ? String(answer.status) : `${answer.status} ${answer.body.code}`;
}

type Reply = Answer<{ id: string; amount_due: number }>;

async function issue(
  company: TestCompany,
  made: Made,
  command: Command,
  headers: Record<string, string>,
): Promise<Reply | undefined> {
  const post = (path: string, body?: unknown) =>
    company.call<Reply["body"]["data"]>("POST", path, { body, headers });
  switch (command.kind) {
    case "createCustomer":
      return post("/customers/:company", { name: "Anil", state: command.state, pincode: "560001" });
    case "createProduct":
      return post("/products/:company", {
        name: "Bolt",
        unit_id: 1,
        selling_price: 10,
        purchase_price: 6,
        track_stock: true,
        opening_stock: command.opening,
        is_batch_tracked: command.batches,
      });
    case "createInvoice":
      return post("/invoices/:company", {
        customer_id: pick(made.customers, command.customer),
        items: command.lines.map(({ product, quantity, price, rate }) => ({
          item_name: "Bolt",
          quantity,
          unit: "NOS",
          unit_price: price,
          tax_rate: rate,
          ...(product === null ? {} : { product_id: pick(made.products, product) }),
        })),
      });
    case "adjust": {
      const type = command.increase ? "increase" : "decrease";
      const body = { adjustment_type: type, quantity: command.quantity };
      return post(`/products/:company/${pick(made.products, command.product)}/stock-adjustments`, body);
    }
    case "pay":
      return pay(company, pick(made.invoices, command.invoice), command, headers);
    case "refund": {
      const payment = pick(made.payments, command.payment);
      return payment === undefined ? undefined : post(`/payments/:company/${payment}/refund`);
    }
    case "void": {
      const invoice = pick(made.invoices, command.invoice);
      return invoice === undefined ? undefined : post(`/invoices/:company/${invoice}/void`);
    }
    case "rename":
      return company.call("PATCH", `/customers/:company/${pick(made.customers, command.customer)}`, {
        body: { name: command.name },
        headers,
      });
    case "delete":
      return company.call("DELETE", `/customers/:company/${pick(made.customers, command.customer)}`, {
        headers,
      });
  }
}

/** Pays tenths of what was due when it was last looked at: above ten of them is more than is due. */
async function pay(
  company: TestCompany,
  invoice: string | undefined,
  { share, withheld }: { share: number; withheld: boolean },
  headers: Record<string, string>,
): Promise<Reply | undefined> {
  if (invoice === undefined) return undefined;
  const body = sent.get(headers) ?? (await paymentOf(company, invoice, share, withheld));
  sent.set(headers, body);
  return company.call("POST", "/payments/:company", { headers, body });
}

// A retry sends the same body, though by then less may be due.
const sent = new WeakMap<object, object>();

async function paymentOf(
  company: TestCompany,
  invoice: string,
  share: number,
  withheld: boolean,
): Promise<object> {
  const { body } = must(
    await company.call<{ amount_due: number }>("GET", `/invoices/:company/${invoice}`),
    200,
  );
  const paise = Math.max(2, Math.round(body.data.amount_due * 10 * share));
  const tds = withheld ? Math.floor(paise / 10) : 0;
  return {
    invoice_id: invoice,
    amount: (paise - tds) / 100,
    tds_amount: tds / 100,
    payment_date: new Date().toISOString().slice(0, 10),
    payment_mode_id: 1 + (share % 6),
  };
}

function remember(made: Made, { kind }: Command, { status, body }: Reply): void {
  if (status !== 201) return;
  if (kind === "createCustomer") made.customers.push(body.data.id);
  if (kind === "createProduct") made.products.push(body.data.id);
  if (kind === "createInvoice") made.invoices.push(body.data.id);
  if (kind === "pay") made.payments.push(body.data.id);
}

export function pick(ids: readonly string[], index: number): string | undefined {
  return ids.length === 0 ? undefined : ids[index % ids.length];
}
