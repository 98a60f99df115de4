import { today } from "../features/money.ts";
import { must } from "../support/company.ts";
import type { Draw } from "./draw.ts";
import type { Asked, Moves, World } from "./world.ts";

const CUSTOMERS = "/customers/:company";
const INVOICES = "/invoices/:company";
const PRODUCTS = "/products/:company";
const MODES = 6;

/** What users do with customers, goods, invoices and money. */
export const BOOKS = {
  "make a customer": {
    weight: 1,
    answers: ["201"],
    act: (_, draw) => customer(draw.one(["KA", "MH"])),
  },
  "make a product": {
    weight: 1,
    answers: ["201"],
    act: (_, draw) => product(draw.below(7), draw.oneIn(2)),
  },
  invoice: {
    weight: 6,
    answers: ["201", "409 insufficient_stock", "422 validation_failed"],
    act: (world, draw) => {
      const items = Array.from({ length: draw.from(1, 3) }, () => line(world, draw));
      return {
        path: INVOICES,
        body: { customer_id: draw.one(world.ids("customers")), items },
        makes: "invoices",
      };
    },
  },
  pay: { weight: 8, answers: ["201", "409 invoice_voided", "422 amount_exceeds_due"], act: pay },
  refund: {
    weight: 3,
    answers: ["200", "404 not_found"],
    act: (world, draw) => {
      const id = draw.one(world.ids("payments"));
      if (id === undefined) return;
      const predicts = async () =>
        (await cell(world, "deleted_at FROM payments", id)) === null ? "200" : "404 not_found";
      return { path: `/payments/:company/${id}/refund`, predicts };
    },
  },
  void: {
    weight: 2,
    answers: ["200", "409 invoice_voided", "409 has_credit_notes"],
    act: (world, draw) => {
      const id = draw.one(world.ids("invoices"));
      if (id === undefined) return;
      const predicts = async () =>
        (await cell(world, "status FROM invoices", id)) === "voided" ? "409 invoice_voided" : "200";
      return { path: `${INVOICES}/${id}/void`, predicts };
    },
  },
  adjust: {
    weight: 3,
    answers: ["201", "422 insufficient_stock"],
    act: (world, draw) => {
      const id = String(draw.one(world.ids("products")));
      const [isMore, quantity] = [draw.oneIn(2), draw.from(1, 9)];
      const predicts = async () => {
        const stock = Number(await cell(world, "current_stock FROM products", id));
        return isMore || stock >= quantity * 1_000 ? "201" : "422 insufficient_stock";
      };
      const body = { adjustment_type: isMore ? "increase" : "decrease", quantity };
      return { path: `${PRODUCTS}/${id}/stock-adjustments`, body, predicts };
    },
  },
  rename: {
    weight: 1,
    answers: ["200", "404 not_found"],
    act: (world, draw) => {
      const id = String(draw.one(world.ids("customers")));
      const body = { name: draw.one(["Anil", "Bina", "Chand"]) };
      const predicts = async () => ((await isGone(world, id)) ? "404 not_found" : "200");
      return { method: "PATCH", path: `${CUSTOMERS}/${id}`, body, predicts };
    },
  },
  delete: {
    weight: 1,
    answers: ["200", "404 not_found", "409 customer_has_dependents"],
    act: (world, draw) => {
      const id = String(draw.one(world.ids("customers")));
      const predicts = async () => {
        if (await isGone(world, id)) return "404 not_found";
        const held = "SELECT 1 FROM invoices WHERE customer_id = ? LIMIT 1";
        return (await world.rows(held, id)).length > 0 ? "409 customer_has_dependents" : "200";
      };
      return { method: "DELETE", path: `${CUSTOMERS}/${id}`, predicts };
    },
  },
} satisfies Moves<World>;

/** What the moves need to begin with. */
export async function openBooks(world: World): Promise<void> {
  await world.company.raiseLimit();
  for (const asked of [customer("KA"), customer("MH"), product(5, false), product(4, true)])
    must(await world.ask(asked), 201);
}

function customer(state: string): Asked {
  return { path: CUSTOMERS, body: { name: "Anil", state, pincode: "560001" }, makes: "customers" };
}

function product(opening: number, isBatchTracked: boolean): Asked {
  const prices = { unit_id: 1, selling_price: 10, purchase_price: 6 };
  const stock = { track_stock: true, opening_stock: opening, is_batch_tracked: isBatchTracked };
  return { path: PRODUCTS, body: { name: "Bolt", ...prices, ...stock }, makes: "products" };
}

function line(world: World, draw: Draw) {
  return {
    item_name: "Bolt",
    unit: "NOS",
    quantity: draw.from(1, 4_000) / 1_000,
    unit_price: draw.below(500_001) / 100,
    tax_rate: draw.one([0, 5, 12, 18, 28]),
    ...(draw.oneIn(2) ? { product_id: draw.one(world.ids("products")) } : {}),
  };
}

/** Pays tenths of what was due when it was last looked at: above ten of them is more than is due. */
async function pay(world: World, draw: Draw): Promise<Asked | undefined> {
  const id = draw.one(world.ids("invoices"));
  if (id === undefined) return undefined;
  const [tenths, isWithheld] = [draw.from(1, 12), draw.oneIn(2)];
  const { body: read } = await world.ask({ method: "GET", path: `${INVOICES}/${id}` });
  const paise = Math.max(2, Math.round(Number(read.data.amount_due) * 10 * tenths));
  const tds = isWithheld ? Math.floor(paise / 10) : 0;
  const predicts = async () => {
    if ((await cell(world, "status FROM invoices", id)) === "voided") return "409 invoice_voided";
    return paise <= Number(await cell(world, "amount_due FROM invoices", id))
      ? "201"
      : "422 amount_exceeds_due";
  };
  const amounts = { amount: (paise - tds) / 100, tds_amount: tds / 100 };
  const body = { invoice_id: id, ...amounts, payment_date: today(), payment_mode_id: 1 + (tenths % MODES) };
  return { path: "/payments/:company", body, makes: "payments", predicts };
}

async function isGone(world: World, customer: string): Promise<boolean> {
  return (await cell(world, "deleted_at FROM customers", customer)) !== null;
}

async function cell(world: World, columnOf: string, id: string): Promise<unknown> {
  const [row] = await world.rows(`SELECT ${columnOf} WHERE id = ?`, id);
  return Object.values(row ?? {})[0];
}
