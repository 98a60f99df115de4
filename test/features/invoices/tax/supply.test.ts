import { afterAll, expect, test } from "vitest";
import { gstinCheckDigit } from "#shared/gst/gstin.ts";
import { openCompany, type TestCompany } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import { newCustomer, newInvoice, postInvoice, REGISTERED, refusedFields } from "../../commerce.ts";
import { expectIdentities } from "./identities.ts";

const OTHER_TERRITORY = `97AAAAR6720M1Z${gstinCheckDigit("97AAAAR6720M1Z")}`;
const ABROAD = { country: "GB", state: "London", pincode: "SW1A 1AA" };

const [registered, unregistered, stateless] = await Promise.all([
  openCompany(REGISTERED),
  openCompany({ state: "Karnataka" }),
  openCompany(),
]);
afterAll(() => Promise.all([registered, unregistered, stateless].map(expectSound)));

const split = { intra: [27, 27, 0], inter: [0, 0, 53.99], export: [0, 0, 53.99] } as const;

async function expectSupply(
  company: TestCompany,
  customer: Record<string, unknown>,
  override: string | undefined,
  place: string | null,
  supply: keyof typeof split,
): Promise<void> {
  const { id } = await newCustomer(company, customer);
  const invoice = await newInvoice(company, id, { place_of_supply: override });
  expect([invoice.place_of_supply?.code ?? null, invoice.supply_type]).toEqual([place, supply]);
  expect([invoice.cgst_total, invoice.sgst_total, invoice.igst_total]).toEqual(split[supply]);
  expectIdentities(invoice);
}

test.each([
  ["the customer's state, the company's own", { state: "KA" }, undefined, "29", "intra"],
  ["the customer's state, another", { state: "MH" }, undefined, "27", "inter"],
  ["the customer's GSTIN before its state", { gstin: OTHER_TERRITORY }, undefined, "97", "inter"],
  ["the state, where the GSTIN names none", { gstin: "9917SGP29001OST" }, undefined, "29", "intra"],
  ["the override before the customer's state", { state: "KA" }, "27", "27", "inter"],
  ["the override back into the company's state", { state: "MH" }, "29", "29", "intra"],
  ["the override by the state's name", { state: "MH" }, "कर्नाटक", "29", "intra"],
  ["the override before the GSTIN", { state: "GJ", gstin: "24AAQCA8719H1ZC" }, "29", "29", "intra"],
  ["the override to other countries", { state: "KA" }, "96", "96", "export"],
  ["a special economic zone in the company's state", { gst_category: "sez" }, undefined, "29", "inter"],
  ["a special economic zone elsewhere", { state: "MH", gst_category: "sez" }, undefined, "27", "inter"],
  ["abroad", ABROAD, undefined, "96", "export"],
  ["abroad, in what is also an Indian state", { ...ABROAD, state: "Karnataka" }, undefined, "96", "export"],
] as const)(
  "a company registered in Karnataka, place of supply by %s",
  async (_what, buyer, override, place, supply) => {
    await expectSupply(registered, buyer, override, place, supply);
  },
);

test.each([
  ["the customer's state", { state: "MH" }, undefined, "27", "inter"],
  ["its own state, where the customer's is unknown", { state: "Upper Valley" }, undefined, "29", "intra"],
] as const)("an unregistered company goes by %s", async (_what, buyer, override, place, supply) => {
  await expectSupply(unregistered, buyer, override, place, supply);
});

test.each([
  ["to a customer in any state", { state: "MH" }, undefined, "27", "intra"],
  ["to a customer of unknown state", { state: "Upper Valley" }, undefined, null, "intra"],
  ["with an override", { state: "MH" }, "32", "32", "intra"],
  ["to a special economic zone", { state: "MH", gst_category: "sez" }, undefined, "27", "intra"],
  ["abroad", ABROAD, undefined, "96", "export"],
] as const)(
  "a company without a state sells within it: %s",
  async (_what, buyer, override, place, supply) => {
    await expectSupply(stateless, buyer, override, place, supply);
  },
);

test.each(["Kerela2", "28", "00", "", 29])("%j is no state", async (place) => {
  const { id } = await newCustomer(registered);
  const answer = await postInvoice(registered, id, { place_of_supply: place });
  expect(answer.status).toBe(422);
  expect(Object.keys(refusedFields(answer))).toEqual(["place_of_supply"]);
});
