import { expect, test } from "vitest";
import {
  isServiceLine,
  type Recipient,
  type Supplier,
  supplyOf,
} from "../../../src/features/invoices/tax/place-of-supply.ts";

const seller: Supplier = { gstin: "29AABCR1718E1ZL", stateCode: "29" };
const unregistered: Supplier = { gstin: null, stateCode: null };

type Differences = {
  gstin?: string;
  gst_category?: string;
  state_code?: string | null;
  country?: string;
  to?: { name?: string; state?: string; state_code?: string; country?: string };
};
function buyer({ gstin, gst_category, state_code = "29", country = "IN", to }: Differences = {}): Recipient {
  const place = { address: null, city: null };
  const contact = { email: null, phone: null, company_name: "Rao Exports" };
  return {
    ...contact,
    name: "Meera Rao",
    gstin: gstin ?? null,
    gst_category: gst_category ?? "unregistered",
    billing_address: { ...place, state: "", state_code, pincode: "", country, country_text: null },
    shipping_address: to
      ? {
          ...place,
          name: null,
          phone: null,
          state: null,
          state_code: null,
          pincode: null,
          country: null,
          ...to,
        }
      : null,
  };
}

const sold = (to: Recipient, override?: string, from = seller) => {
  const { place, type } = supplyOf(from, to, { country: "IN", isService: false, override });
  return [place, type];
};
const served = (to: Recipient, from = seller) => {
  const { place, type } = supplyOf(from, to, { country: "IN", isService: true });
  return [place, type];
};

const MAHARASHTRA = "27AAPFU0939F1ZV";
const delivered = { state: "Gujarat", state_code: "24" };

test("the place of supply is the override, else the buyer's GSTIN, else its state, else the seller's state", () => {
  expect(sold(buyer({ gstin: MAHARASHTRA, state_code: "24" }), "33")).toEqual(["33", "inter"]);
  for (const of of [sold, served]) {
    expect(of(buyer({ gstin: MAHARASHTRA, state_code: "24" }))).toEqual(["27", "inter"]);
    expect(of(buyer({ state_code: "24" }))).toEqual(["24", "inter"]);
    expect(of(buyer({ state_code: null }))).toEqual(["29", "intra"]);
  }
  expect(sold(buyer({ state_code: null }), undefined, unregistered)).toEqual([null, "intra"]);
  expect(sold(buyer(), undefined, unregistered)).toEqual(["29", "intra"]);
});

test("goods are supplied where they are delivered, to a consumer and to the holder of a GSTIN", () => {
  expect(sold(buyer({ to: delivered }))).toEqual(["24", "inter"]);
  expect(sold(buyer({ gstin: MAHARASHTRA, to: delivered }))).toEqual(["24", "inter"]);
  expect(sold(buyer({ gstin: MAHARASHTRA, to: { ...delivered, name: "RAO EXPORTS." } }))).toEqual([
    "24",
    "inter",
  ]);
});

test("goods that the holder of a GSTIN has sent to another person are supplied in the holder's state", () => {
  expect(sold(buyer({ gstin: MAHARASHTRA, to: { ...delivered, name: "Site office" } }))).toEqual([
    "27",
    "inter",
  ]);
  expect(sold(buyer({ to: { ...delivered, name: "A friend" } }))).toEqual(["24", "inter"]);
});

test("services are supplied where the buyer is, wherever something is delivered", () => {
  expect(served(buyer({ to: delivered }))).toEqual(["29", "intra"]);
  expect(served(buyer({ gstin: MAHARASHTRA, to: delivered }))).toEqual(["27", "inter"]);
  expect(served(buyer({ country: "GB", state_code: null, to: delivered }))).toEqual(["96", "export"]);
});

test("goods that leave the country are an export, and those for a buyer abroad that stay are none", () => {
  expect(sold(buyer({ country: "AU", state_code: null }))).toEqual(["96", "export"]);
  expect(sold(buyer({ to: { country: "GB" } }))).toEqual(["96", "export"]);
  expect(sold(buyer({ country: "AU", state_code: null, to: { ...delivered, country: "IN" } }))).toEqual([
    "24",
    "inter",
  ]);
  expect(sold(buyer({ country: "AU", state_code: null }), "29")).toEqual(["29", "intra"]);
});

test("a GSTIN of the central jurisdiction says nothing about the state", () => {
  expect(sold(buyer({ gstin: "9917SGP29001OST", state_code: "24" }))).toEqual(["24", "inter"]);
});

test("a supply to a special economic zone is inter even within the state, and zero-rated", () => {
  const zone = supplyOf(seller, buyer({ gst_category: "sez" }), { country: "IN", isService: false });
  expect(zone).toEqual({ place: "29", type: "inter", isZeroRated: true });
});

test("a company outside India has no place of supply", () => {
  const supply = supplyOf(unregistered, buyer({ country: "AU" }), { country: "AU", isService: false });
  expect(supply).toEqual({ place: null, type: null, isZeroRated: false });
});

test("a line is a service by its product, or by its code", () => {
  expect(isServiceLine("999293", undefined)).toBe(true);
  expect(isServiceLine(null, "service")).toBe(true);
  expect(isServiceLine("732393", "goods")).toBe(false);
  expect(isServiceLine(null, undefined)).toBe(false);
});
