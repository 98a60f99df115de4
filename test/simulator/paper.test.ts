import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { getInvoice, newCustomer, newInvoice, REGISTERED } from "../features/commerce.ts";
import { expectIdentities, paise } from "../features/invoices/tax/identities.ts";
import { newProduct } from "../features/money.ts";
import { deliver, getOrder, placeOrder, razorpayEvent, shopper } from "../features/storefront/shop.ts";
import { must, openBusy, type TestCompany } from "../support/company.ts";
import { type Connected, connectGateway } from "../support/gateways.ts";
import { expectSound } from "../support/oracles.ts";
import { inRupees, inside, type ModelLine, onTop, orderLine, sumsOf, type Taxed } from "./paper-model.ts";

// Half of them are orders. More by hand: PAPER_RUNS=10000 npm run model
const RUNS = Number(process.env.PAPER_RUNS ?? 120);
const AT_ONCE = 8;
const ZONE = "29AAACS8577K1ZL";
const PRODUCTS = 24;

type Seller = {
  company: TestCompany;
  connected: Connected;
  products: (ModelLine & { id: number })[];
  buyers: Buyer[];
};
/** Who buys, at both doors; `type` is the supply of an invoice to them. */
type Buyer = { id: string; customer: Record<string, unknown>; taxed: Taxed; type: string | null };

const PEOPLE = [
  { customer: { state: "Karnataka" }, taxed: "halves", type: "intra" },
  { customer: { state: "Kerala", pincode: "682001" }, taxed: "one head", type: "inter" },
  {
    customer: { country: "GB", state: "London", pincode: "SW1A 1AA" },
    taxed: "one head",
    type: "export",
  },
  {
    customer: { name: "Zone Ltd", gstin: ZONE, gst_category: "sez" },
    taxed: "one head",
    type: "inter",
  },
] as const;
const AUSTRALIA = { country: "AU", currency: "AUD", timezone: "Australia/Sydney" };
const SYDNEY = { country: "AU", state: "New South Wales", pincode: "2000" };

const KINDS = [
  { of: REGISTERED, says: { gst_status: "registered" }, people: PEOPLE },
  { of: { state: "Karnataka" }, says: { gst_status: "unregistered" }, people: PEOPLE },
  { of: AUSTRALIA, says: { tax_registered: true }, people: [{ customer: SYDNEY, taxed: "one head" }] },
  { of: AUSTRALIA, says: { tax_registered: false }, people: [{ customer: SYDNEY, taxed: "not" }] },
] as const;

const sellers: Seller[] = [];
beforeAll(async () => {
  const drawn = fc.sample(
    fc.record({
      price: fc.oneof(fc.constantFrom(777, 9_999, 5_000, 11_800, 1), fc.integer({ min: 1, max: 9_999_999 })),
      rate: fc.constantFrom(0, 250, 3_000, 5_000, 10_000, 12_000, 18_000, 28_000, 40_000),
      includesTax: fc.boolean(),
    }),
    PRODUCTS,
  );
  for (const { of, says, people } of KINDS) {
    const company = await openBusy(of);
    const connected = await connectGateway(company, "razorpay");
    const products = await Promise.all(
      drawn.map(async ({ price, rate, includesTax }) => {
        const fields = {
          selling_price: price / 100,
          tax_rate: rate / 1_000,
          price_includes_tax: includesTax,
        };
        const { id } = await newProduct(company, { name: `Product ${price} ${rate}`, ...fields });
        return { id: Number(id), price, rate, includesTax, quantity: 0 };
      }),
    );
    // A product keeps its rate where the company is not registered, and bears no tax.
    await company.change("/settings/:company/profile", says);
    const mayTax = !("gst_status" in says) || says.gst_status === "registered";
    const buyers: Buyer[] = [];
    for (const each of people) {
      const { id } = await newCustomer(company, each.customer);
      const type = "type" in each ? each.type : null;
      buyers.push({ id, customer: each.customer, taxed: mayTax ? each.taxed : "not", type });
    }
    sellers.push({ company, connected, products, buyers });
  }
}, 120_000);

const sale = fc.record({
  isOrder: fc.boolean(),
  seller: fc.nat({ max: KINDS.length - 1 }),
  buyer: fc.nat(),
  lines: fc.array(
    fc.record({
      product: fc.nat({ max: PRODUCTS - 1 }),
      quantity: fc.oneof(
        fc.constant(1_000),
        fc.integer({ min: 1, max: 99 }).map((pieces) => pieces * 1_000),
        fc.integer({ min: 1, max: 99_999 }),
      ),
      // Of an invoice alone: ten-thousandths above the product's price, a share that is taken off, and a code.
      finer: fc.integer({ min: 0, max: 99 }),
      discountShare: fc.constantFrom(0n, 1n, 33n, 100n),
      code: fc.constantFrom(undefined, "7323", "998314"),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  shipping: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 50_000 })),
  roundOff: fc.boolean(),
});
type Sale = typeof sale extends fc.Arbitrary<infer One> ? One : never;

async function holds({ isOrder, seller, buyer, lines, ...more }: Sale): Promise<void> {
  const from = sellers[seller] as Seller;
  const to = from.buyers[buyer % from.buyers.length] as Buyer;
  const taken = lines.map(({ product, ...line }) => ({
    ...(from.products[product] as Seller["products"][number]),
    ...line,
  }));
  // Only companies in India issue invoices by hand.
  await (isOrder || isAbroad(from)
    ? orderHolds(from, to, taken, more.shipping)
    : invoiceHolds(from, to, taken, more.roundOff));
}

type Taken = (Seller["products"][number] & Omit<Sale["lines"][number], "product">)[];

function isAbroad(seller: Seller): boolean {
  return sellers.indexOf(seller) >= 2;
}

/** An order is asked for, paid and invoiced at what the model says. */
async function orderHolds(from: Seller, to: Buyer, taken: Taken, shipping: number): Promise<void> {
  const { company, connected } = from;
  const highest = to.taxed === "not" ? 0 : Math.max(...taken.map(({ rate }) => rate));
  const amounts = taken.map((each) => orderLine(each, to.taxed));
  if (shipping > 0) amounts.push(inside(BigInt(shipping), highest, to.taxed));
  const { exact_total: total, ...sums } = sumsOf(amounts);
  // What a gateway takes begins at 1.00.
  if (total < 100) return;
  const placed = await placeOrder(company, {
    customer: { ...shopper, ...to.customer },
    currency: isAbroad(from) ? "AUD" : "INR",
    items: taken.map(({ id, quantity }) => ({
      name: "x",
      unit_price: 1,
      product_id: id,
      quantity: quantity / 1_000,
    })),
    ...(shipping > 0 && { shipping_amount: shipping / 100 }),
  });
  expect(paise(placed.total_amount)).toBe(total);
  must(await deliver(company, connected, razorpayEvent(placed)), 200);
  const order = await getOrder(company, placed.order_id);
  const invoice = await getInvoice(company, String(order.invoice_id));
  expectIdentities(invoice);
  expect(invoice).toMatchObject({ round_off: 0, supply_type: to.type });
  expect(inPaise(invoice)).toEqual({ ...sums, total_amount: total });
  expect(invoice.journal_entry_id).not.toBeNull();
}

/** An invoice of the same lines, with finer prices, without tax, and with discounts. */
async function invoiceHolds(from: Seller, to: Buyer, taken: Taken, roundOff: boolean): Promise<void> {
  const isTaxed = to.taxed !== "not";
  const valued = taken.map((each) => {
    const unitPrice = BigInt(100 * each.price + each.finer);
    const value = (2n * unitPrice * BigInt(each.quantity) + 100_000n) / 200_000n;
    return { ...each, unitPrice, value, discount: (value * each.discountShare) / 100n };
  });
  const amounts = valued.map(({ value, discount, rate }) =>
    onTop(value - discount, isTaxed ? rate : 0, to.taxed),
  );
  const { exact_total: exact, ...sums } = sumsOf(amounts);
  const { warnings: _, ...invoice } = await newInvoice(from.company, to.id, {
    apply_round_off: roundOff,
    items: valued.map(({ unitPrice, discount, quantity, rate, code }) => ({
      item_name: "x",
      unit: "NOS",
      quantity: quantity / 1_000,
      unit_price: Number(unitPrice) / 10_000,
      discount_amount: Number(discount) / 100,
      tax_rate: isTaxed ? rate / 1_000 : 0,
      hsn_sac_code: code,
    })),
  });
  expectIdentities(invoice);
  expect(invoice.supply_type).toBe(to.type);
  expect(inPaise(invoice)).toEqual({ ...sums, total_amount: roundOff ? inRupees(exact) : exact });
  expect(await getInvoice(from.company, invoice.id)).toEqual(invoice);
}

function inPaise(invoice: Awaited<ReturnType<typeof getInvoice>>) {
  const { taxable_total, cgst_total, sgst_total, igst_total, tax_total, total_amount } = invoice;
  const amounts = { taxable_total, cgst_total, sgst_total, igst_total, tax_total, total_amount };
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, paise(amount)]));
}

test("any order and invoice, of any seller to any buyer, is taxed to the paisa as the model says", {
  timeout: 60_000 + RUNS * 500,
}, async () => {
  const group = fc.array(sale, { minLength: AT_ONCE, maxLength: AT_ONCE });
  const check = fc.asyncProperty(group, (sales) => Promise.all(sales.map(holds)).then(() => undefined));
  await fc.assert(check, { numRuns: Math.ceil(RUNS / AT_ONCE), endOnFailure: true });
  for (const { company } of sellers) await expectSound(company);
});
