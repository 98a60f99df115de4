import { randomUUID } from "node:crypto";
import type { Client } from "@libsql/client/web";
import * as fc from "fast-check";
import { must, type TestCompany } from "../support/company.ts";
import type { Answer } from "../support/http.ts";

/** One call of a user, on records named by their place among those made so far. */
export type Command =
  | {
      kind: "createInvoice";
      customer: number;
      lines: { product: number | null; quantity: number; price: number; rate: number }[];
    }
  | { kind: "pay"; invoice: number; share: number; withheld: boolean }
  | { kind: "refund"; payment: number }
  | { kind: "void"; invoice: number }
  | { kind: "adjust"; product: number; increase: boolean; quantity: number }
  | { kind: "createProduct"; opening: number; batches: boolean }
  | { kind: "createCustomer"; state: string }
  | { kind: "rename"; customer: number; name: string }
  | { kind: "delete"; customer: number };

/** Commands that run one after another, each step's own ones at the same time. */
export type Plan = { steps: Command[][]; faultSeed: number };

const place = fc.nat({ max: 7 });
const line = fc.record({
  product: fc.option(place, { freq: 2 }),
  quantity: fc.integer({ min: 1, max: 4_000 }).map((thousandths) => thousandths / 1_000),
  price: fc.integer({ min: 0, max: 500_000 }).map((tenThousandths) => tenThousandths / 100),
  rate: fc.constantFrom(0, 5, 12, 18, 28),
});
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("createInvoice" as const),
      customer: place,
      lines: fc.array(line, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("pay" as const),
      invoice: place,
      share: fc.integer({ min: 1, max: 12 }),
      withheld: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("refund" as const), payment: place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("void" as const), invoice: place }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("adjust" as const),
      product: place,
      increase: fc.boolean(),
      quantity: fc.integer({ min: 1, max: 9 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("createProduct" as const),
      opening: fc.nat({ max: 6 }),
      batches: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("createCustomer" as const),
      state: fc.constantFrom("KA", "MH"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("rename" as const),
      customer: place,
      name: fc.constantFrom("Anil", "Bina", "Chand"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), customer: place }) },
);

export const plan: fc.Arbitrary<Plan> = fc.record({
  steps: fc.array(fc.array(command, { minLength: 1, maxLength: 4 }), { minLength: 4, maxLength: 9 }),
  faultSeed: fc.integer({ min: 1, max: 1_000_000 }),
});

/** The answers that the documentation allows a command, by status and code. */
export const DOCUMENTED: Record<Command["kind"], readonly string[]> = {
  createInvoice: ["201", "409 insufficient_stock", "422 validation_failed"],
  pay: ["201", "409 invoice_voided", "422 amount_exceeds_due"],
  refund: ["200", "404 not_found"],
  void: ["200", "409 invoice_voided"],
  adjust: ["201", "422 insufficient_stock"],
  createProduct: ["201"],
  createCustomer: ["201"],
  rename: ["200", "404 not_found"],
  delete: ["200", "404 not_found", "409 customer_has_dependents"],
};

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
  // What the documentation tells a client whose answer was lost: the same call again, with the same key.
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

function pick(ids: readonly string[], index: number): string | undefined {
  return ids.length === 0 ? undefined : ids[index % ids.length];
}

/**
 * What a command that runs alone must answer, told from the database before it; null where the model does not say.
 */
export async function predict(database: Client, made: Made, command: Command): Promise<string | null> {
  const value = async (sql: string, id: string | undefined) =>
    id === undefined ? undefined : (await database.execute({ sql, args: [id] })).rows[0]?.[0];
  switch (command.kind) {
    case "refund": {
      const payment = pick(made.payments, command.payment);
      const live = await value("SELECT deleted_at IS NULL FROM payments WHERE id = ?", payment);
      return payment === undefined ? null : live === 1 ? "200" : "404 not_found";
    }
    case "void": {
      const invoice = pick(made.invoices, command.invoice);
      const status = await value("SELECT status FROM invoices WHERE id = ?", invoice);
      return invoice === undefined ? null : status === "voided" ? "409 invoice_voided" : "200";
    }
    case "adjust": {
      const product = pick(made.products, command.product);
      const stock = Number(await value("SELECT current_stock FROM products WHERE id = ?", product));
      return command.increase || stock >= command.quantity * 1_000 ? "201" : "422 insufficient_stock";
    }
    case "rename": {
      const customer = pick(made.customers, command.customer);
      return (await value("SELECT deleted_at FROM customers WHERE id = ?", customer)) === null
        ? "200"
        : "404 not_found";
    }
    case "delete": {
      const customer = pick(made.customers, command.customer);
      if ((await value("SELECT deleted_at FROM customers WHERE id = ?", customer)) !== null)
        return "404 not_found";
      const held = "SELECT count(*) FROM invoices WHERE status <> 'voided' AND customer_id = ?";
      return Number(await value(held, customer)) > 0 ? "409 customer_has_dependents" : "200";
    }
    case "pay": {
      const invoice = pick(made.invoices, command.invoice);
      if (invoice === undefined) return null;
      if ((await value("SELECT status FROM invoices WHERE id = ?", invoice)) === "voided")
        return "409 invoice_voided";
      const due = Number(await value("SELECT amount_due FROM invoices WHERE id = ?", invoice));
      return Math.max(2, Math.round((due / 100) * 10 * command.share)) <= due
        ? "201"
        : "422 amount_exceeds_due";
    }
    default:
      return null;
  }
}
