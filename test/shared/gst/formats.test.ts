import { expect, test } from "vitest";
import {
  formatAmount,
  formatDate,
  formatMoney,
  formatPrice,
  formatQuantity,
  formatRate,
} from "../../../src/features/invoices/page/formats.ts";

test("amounts are grouped in lakhs and crores", () => {
  expect(formatAmount(123456.78, "INR")).toBe("1,23,456.78");
  expect(formatAmount(9999999999.99, "INR")).toBe("9,99,99,99,999.99");
  expect(formatAmount(-0.49, "INR")).toBe("-0.49");
  expect(formatMoney(123456, "INR")).toBe("₹1,23,456.00");
});

test("amounts of other currencies are grouped in thousands", () => {
  expect(formatAmount(1234567.5, "USD")).toBe("1,234,567.50");
  expect(formatPrice(123456.7891, "AUD")).toBe("123,456.7891");
  expect(formatMoney(123456, "GBP")).toBe("£123,456.00");
});

test("prices, quantities and rates keep the decimals that they have", () => {
  expect([formatPrice(5, "INR"), formatPrice(89.9999, "INR")]).toEqual(["5.00", "89.9999"]);
  expect([formatQuantity(2), formatQuantity(1234.125)]).toEqual(["2", "1,234.125"]);
  expect([formatRate(9), formatRate(0.125), formatRate(0.0005)]).toEqual(["9%", "0.125%", "0.0005%"]);
});

test("dates name their month", () => {
  expect(formatDate("2026-04-01")).toBe("1 Apr 2026");
});
