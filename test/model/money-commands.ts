import * as fc from "fast-check";

/** One call of a user, on records named by their place among those made so far. */
export type Command =
  | {
      kind: "createInvoice";
      customer: number;
      lines: { product: number | null; quantity: number; price: number; rate: number }[];
    }
  | { kind: "pay"; invoice: number; share: number; withheld: boolean }
  | { kind: "refund"; payment: number }
  | { kind: "void"; invoice: number }
  | { kind: "adjust"; product: number; increase: boolean; quantity: number }
  | { kind: "createProduct"; opening: number; batches: boolean }
  | { kind: "createCustomer"; state: string }
  | { kind: "rename"; customer: number; name: string }
  | { kind: "delete"; customer: number };

/** Commands that run one after another, each step's own ones at the same time. */
export type Plan = { steps: Command[][]; faultSeed: number };
const place = fc.nat({ max: 7 });

const line = fc.record({
  product: fc.option(place, { freq: 2 }),
  quantity: fc.integer({ min: 1, max: 4_000 }).map((thousandths) => thousandths / 1_000),
  price: fc.integer({ min: 0, max: 500_000 }).map((tenThousandths) => tenThousandths / 100),
  rate: fc.constantFrom(0, 5, 12, 18, 28),
});

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("createInvoice" as const),
      customer: place,
      lines: fc.array(line, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("pay" as const),
      invoice: place,
      share: fc.integer({ min: 1, max: 12 }),
      withheld: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("refund" as const), payment: place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("void" as const), invoice: place }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("adjust" as const),
      product: place,
      increase: fc.boolean(),
      quantity: fc.integer({ min: 1, max: 9 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("createProduct" as const),
      opening: fc.nat({ max: 6 }),
      batches: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("createCustomer" as const),
      state: fc.constantFrom("KA", "MH"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("rename" as const),
      customer: place,
      name: fc.constantFrom("Anil", "Bina", "Chand"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), customer: place }) },
);

export const plan: fc.Arbitrary<Plan> = fc.record({
  steps: fc.array(fc.array(command, { minLength: 1, maxLength: 4 }), { minLength: 4, maxLength: 9 }),
  faultSeed: fc.integer({ min: 1, max: 1_000_000 }),
});

/** The answers that the documentation allows a command, by status and code. */
export const DOCUMENTED: Record<Command["kind"], readonly string[]> = {
  createInvoice: ["201", "409 insufficient_stock", "422 validation_failed"],
  pay: ["201", "409 invoice_voided", "422 amount_exceeds_due"],
  refund: ["200", "404 not_found"],
  void: ["200", "409 invoice_voided"],
  adjust: ["201", "422 insufficient_stock"],
  createProduct: ["201"],
  createCustomer: ["201"],
  rename: ["200", "404 not_found"],
  delete: ["200", "404 not_found", "409 customer_has_dependents"],
};
