import { expect, test } from "vitest";
import { problemsOf } from "#api/openapi/replies.ts";
import { operations } from "../../../src/wiring/operations.ts";
import { newProduct } from "../../features/money.ts";
import { openCompany } from "../../support/company.ts";
import type { Answer } from "../../support/http.ts";

const saidOf = (id: string) => operations.flatMap((one) => (one.id === id ? problemsOf(one) : []));

/** Checks that an operation says in the document what it answered. */
function expectSaid(id: string, answer: Answer, status: number, code: string): void {
  expect(answer).toMatchObject({ status, body: { code } });
  expect(saidOf(id), id).toContain(code);
}

test("a package whose lesson is no lesson is 422, as the document says of each operation that takes one", async () => {
  const company = await openCompany();
  const lesson = { lesson_product_id: 999_999, sessions: 5 };
  const body = { name: "Five lessons", unit_id: "1", selling_price: 100, ...lesson };
  const refused = await company.call("POST", "/products/:company", { body });
  expectSaid("createProduct", refused, 422, "invalid_product");
  const { id } = await newProduct(company);
  const answer = await company.call("PATCH", `/products/:company/${id}`, { body: lesson });
  expectSaid("updateProduct", answer, 422, "invalid_product");
  // What these answer is in the tests of bookings and packages.
  for (const id of ["createBooking", "createStaffBooking", "createPackage"])
    expect(saidOf(id), id).toContain("invalid_product");
});

test("of every operation that takes an Idempotency-Key the document says that a replay may be 404", () => {
  const writes = operations.filter(
    ({ method, idempotent, scope, planned }) =>
      method !== "get" && idempotent !== false && scope !== "platform" && planned === undefined,
  );
  expect(writes.filter((one) => !problemsOf(one).includes("not_found"))).toEqual([]);
});
