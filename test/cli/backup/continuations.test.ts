import { expect, test } from "vitest";
import { continuationsOf } from "#cli/backup/continuations.ts";
import { madeDatabase } from "./made.ts";

async function company() {
  const reader = madeDatabase("company");
  await reader.all(
    "INSERT INTO profile (id, name, invoice_prefix, books_currency, financial_year_month, created_at, updated_at) VALUES (1, 'Asha', 'A/B', 'INR', 4, 0, 0)",
  );
  await reader.all("INSERT INTO number_series VALUES ('invoice', '26-27', 12), ('payment', '26-27', 3)");
  return reader;
}

test("a number names its series by what stands before the year, and how far it is ahead", async () => {
  const written = "A/B/26-27/0412, RCPT/25-26/7, CN/26-27/3, RV/26-27/3";
  expect(await continuationsOf(await company(), written)).toEqual([
    { series: "invoice", period: "26-27", after: 12n, through: 412n },
    { series: "payment", period: "25-26", after: 0n, through: 7n },
    { series: "credit_note", period: "26-27", after: 0n, through: 3n },
    { series: "lesson_receipt", period: "26-27", after: 0n, through: 3n },
  ]);
});

test("what the backup holds already needs nothing", async () => {
  expect(await continuationsOf(await company(), "A/B/26-27/12")).toEqual([]);
});

test.each([
  ["A/B/26-27/11", "lower than A/B/26-27/00012, which the backup holds"],
  ["A/B/26-28/12", "is no number of a document"],
  ["A/B/26-27/1000000", "is no number of a document"],
  ["412", "is no number of a document"],
  ["", "is no number of a document"],
  ["XX/26-27/12", "no series of this company begins with XX"],
  ["RCPT/26-27/9,RCPT/26-27/10", "is named twice"],
])("%j is refused", async (written, told) => {
  await expect(continuationsOf(await company(), written)).rejects.toThrow(told);
});
