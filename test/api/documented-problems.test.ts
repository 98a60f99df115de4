import { expect, test } from "vitest";
import { problemsOf } from "#api/openapi/replies.ts";
import { operations } from "../../src/wiring/operations.ts";

test.each(["createProduct", "updateProduct", "createBooking", "createStaffBooking", "createPackage"])(
  "%s may answer invalid_product, and its document says so",
  (id) => {
    const operation = operations.find((one) => one.id === id);
    expect(operation && problemsOf(operation)).toContain("invalid_product");
  },
);
