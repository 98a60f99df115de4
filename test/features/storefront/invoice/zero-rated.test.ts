import { expect, test } from "vitest";
import { gstinCheckDigit } from "#shared/gst/gstin.ts";
import { must } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import { line, newCustomer, newInvoice } from "../../commerce.ts";
import { pagePath, visit } from "../../invoices/page/hosted.ts";
import { bought, openShop, productLine, shopper } from "../shop.ts";

type Shop = Awaited<ReturnType<typeof openShop>>;
const ZONE = "29AAACS8577K1ZL";
const OTHER = `29AABCT1332L1Z${gstinCheckDigit("29AABCT1332L1Z")}`;
const LETTER = { lut_number: "AD2903260001234", lut_valid_until: "2999-03-31" };
const ABROAD = { name: "Hans Meier", email: "hans@example.com", country: "DE" };

function say({ company }: Shop, body: Record<string, string | null>) {
  return company.call("PATCH", "/settings/:company/profile", { body });
}

const itemAt = ({ company }: Shop, price_includes_tax: boolean) =>
  productLine(company, { tax_rate: 18, price_includes_tax });

const shop = await openShop();

test.each([false, true])(
  "a buyer abroad pays no tax under a letter of undertaking, on a price that includes it: %s",
  async (includes) => {
    const items = [await itemAt(shop, includes)];
    must(await say(shop, LETTER), 200);
    const abroad = await bought(shop, { customer: ABROAD, items });
    expect(abroad.order).toMatchObject({ total_amount: 100, tax_amount: 0 });
    expect(abroad.invoice).toMatchObject({
      total_amount: 100,
      taxable_total: 100,
      tax_total: 0,
      zero_rated: "without_payment",
    });
    const atHome = includes ? 100 : 118;
    expect((await bought(shop, { items })).order).toMatchObject({ total_amount: atHome });
    must(await say(shop, { lut_valid_until: "2020-03-31" }), 200);
    const taxed = await bought(shop, { customer: ABROAD, items });
    expect(taxed.invoice).toMatchObject({ total_amount: atHome, zero_rated: "with_payment" });
    await expectSound(shop.company);
  },
);

test("a buyer in a special economic zone who names the GSTIN of its record is supplied as such", async () => {
  await newCustomer(shop.company, { name: "Zone Ltd", gstin: ZONE, gst_category: "sez" });
  const items = [await itemAt(shop, false)];
  const customer = { ...shopper, gstin: ZONE };
  const taxed = await bought(shop, { customer, items });
  expect(taxed.invoice).toMatchObject({
    supply_type: "inter",
    zero_rated: "with_payment",
    igst_total: 18,
    customer: { gst_category: "sez", name: shopper.name },
  });
  expect(taxed.page.text).toContain("Supply to SEZ unit or SEZ developer for authorised operations");
  must(await say(shop, LETTER), 200);
  const untaxed = await bought(shop, { customer, items });
  expect(untaxed.order).toMatchObject({ total_amount: 100, tax_amount: 0 });
  expect(untaxed.invoice).toMatchObject({ taxable_total: 100, tax_total: 0, zero_rated: "without_payment" });
  const other = await bought(shop, { customer: { ...shopper, gstin: OTHER }, items });
  expect(other.invoice).toMatchObject({ supply_type: "intra", customer: { gst_category: "regular" } });
  const again = await bought(shop, { customer: { ...shopper, gstin: OTHER }, items });
  expect(again.invoice).toMatchObject({ supply_type: "intra", customer: { gst_category: "regular" } });
  await expectSound(shop.company);
});

test("a letter of undertaking is named where there is one", async () => {
  const shop = await openShop();
  const { company } = shop;
  const abroad = await newCustomer(company, { country: "AU", state: "Victoria", pincode: "3000" });
  const zone = await newCustomer(company, { gstin: ZONE, gst_category: "sez" });
  const words = async (customerId: string) => {
    const { id } = await newInvoice(company, customerId, { items: [{ ...line, tax_rate: 0 }] });
    const { text } = await visit(await pagePath(company, id));
    return /<p class="endorsement">(.*?)<\/p>/.exec(text)?.[1];
  };
  const plain = "under bond or letter of undertaking without payment of integrated tax";
  const toZone = "Supply to SEZ unit or SEZ developer for authorised operations";
  expect(await words(abroad.id)).toBe(`Supply meant for export ${plain}`);
  expect(await words(zone.id)).toBe(`${toZone} ${plain}`);
  must(await say(shop, LETTER), 200);
  const under = `${plain} (LUT ${LETTER.lut_number})`;
  expect(await words(abroad.id)).toBe(`Supply meant for export ${under}`);
  expect(await words(zone.id)).toBe(`${toZone} ${under}`);
});

test.each([
  ["IN-DH", "26"],
  ["IN-DN", "26"],
  ["IN-DD", "26"],
  ["IN-CT", "22"],
  ["IN-CG", "22"],
  ["IN-UT", "05"],
  ["IN-UK", "05"],
  ["IN-TS", "36"],
  ["IN-TG", "36"],
  ["IN-OR", "21"],
  ["IN-OD", "21"],
  ["IN-LA", "38"],
])("a country that is a state of India, %s, is the state %s", async (country, code) => {
  const { state: _, ...stateless } = { ...shopper, email: `${country}@example.com`, phone: null };
  const { invoice } = await bought(shop, { customer: { ...stateless, country } });
  expect(invoice).toMatchObject({ place_of_supply: { code }, supply_type: "inter" });
});
