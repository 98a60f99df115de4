import fc from "fast-check";
import { expect, test } from "vitest";
import { openCompany } from "../../../support/company.ts";
import { expectSound } from "../../../support/oracles.ts";
import { getInvoice, listInvoices, newCustomer, newInvoice, REGISTERED } from "../../commerce.ts";
import { expectIdentities, paise } from "./identities.ts";

const RUNS = 30;
const BUYERS = [
  { supply: "intra", fields: { state: "Karnataka" } },
  { supply: "inter", fields: { state: "Kerala" } },
  { supply: "inter", fields: { state: "Karnataka", gst_category: "sez" } },
  { supply: "export", fields: { country: "GB", state: "London", pincode: "SW1A 1AA" } },
] as const;

const company = await openCompany(REGISTERED);
const customerIds: string[] = [];
for (const { fields } of BUYERS) customerIds.push((await newCustomer(company, fields)).id);

// Whole numbers of the smallest unit of each field, so that the model below needs no fraction.
const modelLine = fc.record({
  thousandths: fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 50_000_000 })),
  tenThousandths: fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 500_000_000 })),
  ratePerMille: fc.oneof(
    fc.constantFrom(0, 5_000, 12_000, 18_000, 28_000, 40_000),
    fc.integer({ min: 0, max: 100_000 }),
  ),
  discountShare: fc.integer({ min: 0, max: 100 }),
  hsn_sac_code: fc.constantFrom(undefined, "7323", "998314"),
});
type ModelLine = typeof modelLine extends fc.Arbitrary<infer Line> ? Line : never;

/** The quotient rounded to the nearest whole number, a half going up. */
function nearest(numerator: bigint, denominator: bigint): bigint {
  const [quotient, rest] = [numerator / denominator, numerator % denominator];
  return 2n * rest >= denominator ? quotient + 1n : quotient;
}

function amountsOf({ thousandths, tenThousandths, ratePerMille, discountShare }: ModelLine, intra: boolean) {
  const gross = nearest(BigInt(thousandths) * BigInt(tenThousandths), 100_000n);
  const discount = (gross * BigInt(discountShare)) / 100n;
  const taxable = gross - discount;
  const tax = taxable * BigInt(ratePerMille);
  const half = intra ? nearest(tax, 200_000n) : 0n;
  const igst = intra ? 0n : nearest(tax, 100_000n);
  return { gross, discount, taxable, half, igst };
}

test("any invoice adds up, to the paisa, as it is created, read and listed, and so do the books", async () => {
  const invoice = fc.record({
    lines: fc.array(modelLine, { minLength: 1, maxLength: 12 }),
    buyer: fc.nat({ max: BUYERS.length - 1 }),
    roundOff: fc.boolean(),
    date: fc.constantFrom(undefined, "2026-03-31", "2026-04-01", "2001-01-01", "2024-02-29"),
  });
  await fc.assert(
    fc.asyncProperty(invoice, async ({ lines, buyer, roundOff, date }) => {
      const supply = BUYERS[buyer]?.supply;
      const amounts = lines.map((each) => amountsOf(each, supply === "intra"));
      const { warnings: _, ...created } = await newInvoice(company, customerIds[buyer], {
        invoice_date: date,
        apply_round_off: roundOff,
        items: lines.map((each, index) => ({
          item_name: `Item ${index}`,
          unit: "NOS",
          quantity: Number(`${each.thousandths}e-3`),
          unit_price: Number(`${each.tenThousandths}e-4`),
          tax_rate: Number(`${each.ratePerMille}e-3`),
          discount_amount: Number(`${amounts[index]?.discount}e-2`),
          hsn_sac_code: each.hsn_sac_code,
        })),
      });

      expectIdentities(created);
      expect(created.supply_type).toBe(supply);
      const sum = (amount: (line: (typeof amounts)[number]) => bigint) =>
        Number(amounts.reduce((total, each) => total + amount(each), 0n));
      expect(paise(created.sub_total)).toBe(sum(({ gross }) => gross));
      expect(paise(created.taxable_total)).toBe(sum(({ taxable }) => taxable));
      expect(paise(created.cgst_total)).toBe(sum(({ half }) => half));
      expect(paise(created.igst_total)).toBe(sum(({ igst }) => igst));
      const exact = sum(({ taxable, half, igst }) => taxable + 2n * half + igst);
      expect(paise(created.total_amount)).toBe(roundOff ? 100 * Number(nearest(BigInt(exact), 100n)) : exact);

      expect(await getInvoice(company, created.id)).toEqual(created);
      expect((await listInvoices(company, "limit=1"))[0]).toEqual(created);
    }),
    { numRuns: RUNS },
  );
  await expectSound(company);
});
