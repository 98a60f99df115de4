import { expect, test } from "vitest";
import {
  placeOfSupply,
  type Recipient,
  type Supplier,
  supplyType,
} from "../../../src/features/invoices/tax/gst.ts";

const seller: Supplier = { gstin: "29AABCR1718E1ZL", stateCode: "29" };
const unregistered: Supplier = { gstin: null, stateCode: null };

function buyer(differences: Partial<Recipient> = {}): Recipient {
  return { gstin: null, stateCode: "29", country: "IN", gstCategory: "unregistered", ...differences };
}

function supply(from: Supplier, to: Recipient, override?: string) {
  const place = placeOfSupply(from, to, override);
  return [place, supplyType(from, to, place)];
}

test("the place of supply is the override, else the buyer's GSTIN, else its state, else the seller's state", () => {
  const registered = buyer({ gstin: "27AAPFU0939F1ZV", stateCode: "24" });
  expect(placeOfSupply(seller, registered, "33")).toBe("33");
  expect(placeOfSupply(seller, registered)).toBe("27");
  expect(placeOfSupply(seller, buyer({ stateCode: "24" }))).toBe("24");
  expect(placeOfSupply(seller, buyer({ stateCode: null }))).toBe("29");
  expect(placeOfSupply(unregistered, buyer({ stateCode: null }))).toBeNull();
});

test("a GSTIN of the central jurisdiction says nothing about the state", () => {
  expect(placeOfSupply(seller, buyer({ gstin: "9917SGP29001OST", stateCode: "24" }))).toBe("24");
});

test("a supply within the seller's state is intra, to another state inter", () => {
  expect(supply(seller, buyer())).toEqual(["29", "intra"]);
  expect(supply(seller, buyer({ stateCode: "27" }))).toEqual(["27", "inter"]);
  expect(supply(seller, buyer(), "27")).toEqual(["27", "inter"]);
});

test("a supply to a special economic zone is inter even within the state", () => {
  expect(supply(seller, buyer({ gstCategory: "sez" }))).toEqual(["29", "inter"]);
});

test("a buyer abroad makes it an export, unless the invoice says where it is supplied", () => {
  expect(supply(seller, buyer({ country: "AU", stateCode: null }))).toEqual(["96", "export"]);
  expect(supply(seller, buyer({ country: "AU", stateCode: null }), "29")).toEqual(["29", "intra"]);
});

test("without a known state on either side the supply is intra", () => {
  expect(supply(unregistered, buyer())).toEqual(["29", "intra"]);
  expect(supply(seller, buyer({ stateCode: null }))).toEqual(["29", "intra"]);
});
