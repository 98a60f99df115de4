import { expect, test } from "vitest";
import * as z from "zod";
import { patchOf } from "#shared/fields/patch.ts";
import { check, validationProblem } from "#shared/validation.ts";

function refusal(schema: z.ZodType, value: unknown) {
  const { error } = check(schema, value);
  return validationProblem(error?.issues ?? []);
}

const Order = z.object({
  name: z.string().max(5),
  kind: z.enum(["small", "large"]),
  email: z.email({ error: "must be an e-mail address" }),
  lines: z.array(z.object({ quantity: z.number().min(1).max(9), tags: z.array(z.string()).max(1) })).min(1),
  state: z
    .string()
    .refine((state) => state === "KA", { params: { code: "invalid_state" }, error: "must be a state" }),
});
const order = {
  name: "a",
  kind: "small",
  email: "a@b.example",
  lines: [{ quantity: 1, tags: [] }],
  state: "KA",
};

test("a value that may be of several kinds is refused by the kind that fits", () => {
  const amount = z.object({ to: z.array(z.union([z.number().min(0), z.object({ email: z.email() })])) });
  const told = (value: unknown) => refusal(amount, { to: [1, value] }).details.errors;
  expect(told(-1)).toMatchObject([{ field: "to[1]", code: "too_small" }]);
  expect(told({ email: "a" })).toMatchObject([{ field: "to[1].email", code: "invalid_format" }]);
  expect(told("a")).toMatchObject([{ field: "to[1]", code: "invalid_type", message: "must be a number" }]);
});

test.each([
  [{ name: undefined }, "name", "required", "is required"],
  [{ name: null }, "name", "invalid_type", "must be a string"],
  [{ name: "abcdef" }, "name", "too_big", "must have at most 5 characters"],
  [{ kind: "medium" }, "kind", "invalid_value", "must be one of small, large"],
  [{ email: "a" }, "email", "invalid_format", "must be an e-mail address"],
  [{ email: undefined }, "email", "required", "is required"],
  [{ kind: undefined }, "kind", "required", "is required"],
  [{ lines: [] }, "lines", "too_small", "must have at least 1 item"],
  [{ lines: {} }, "lines", "invalid_type", "must be an array"],
  [
    { lines: [order.lines[0], { quantity: 0, tags: [] }] },
    "lines[1].quantity",
    "too_small",
    "must be at least 1",
  ],
  [{ lines: [{ quantity: "1", tags: [] }] }, "lines[0].quantity", "invalid_type", "must be a number"],
  [{ lines: [{ quantity: 1, tags: [1] }] }, "lines[0].tags[0]", "invalid_type", "must be a string"],
  [{ state: "XX" }, "state", "invalid_state", "must be a state"],
])("a refused field of %j is named as it was sent", (change, field, code, message) => {
  const problem = refusal(Order, { ...order, ...change });
  expect(problem.details.errors).toEqual([{ field, code, message }]);
  expect(problem.message).toBe(`${field} ${message}`);
});

test("all refused fields are reported at once, the first in the message", () => {
  const problem = refusal(Order, {});
  expect(problem.details.errors?.map(({ field }) => field)).toEqual([
    "name",
    "kind",
    "email",
    "lines",
    "state",
  ]);
  expect(problem.message).toBe("name is required");
  expect(problem.status).toBe(422);
});

test("the code of the reply is the first field's where that is a code of the API, else validation_failed", () => {
  expect(refusal(Order, { ...order, state: "XX" }).code).toBe("invalid_state");
  expect(refusal(Order, { ...order, name: 1 }).code).toBe("validation_failed");
  expect(refusal(patchOf(Order), {}).code).toBe("no_accepted_fields");
});

test("a reason without a field stands alone", () => {
  expect(refusal(z.string(), 7)).toMatchObject({ message: "must be a string" });
  expect(validationProblem([])).toMatchObject({ code: "validation_failed", status: 422 });
});
