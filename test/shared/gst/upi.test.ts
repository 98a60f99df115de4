import { expect, test } from "vitest";
import { upiAddress } from "../../../src/features/invoices/page/upi.ts";

const payment = { upiId: "asha@okbank", payee: "Asha", amount: 1, invoiceNumber: "INV/26-27/00001" };

test("the amount has two decimals, and what people wrote is encoded", () => {
  expect(upiAddress({ ...payment, payee: "Asha & Söhne", amount: 123456.7 })).toBe(
    "upi://pay?pa=asha@okbank&pn=Asha%20%26%20S%C3%B6hne&am=123456.70&cu=INR&tn=INV%2F26-27%2F00001",
  );
});

test("a long name is cut between characters", () => {
  const name = "𝓐".repeat(60);
  expect(new URL(upiAddress({ ...payment, payee: name })).searchParams.get("pn")).toBe("𝓐".repeat(50));
});
