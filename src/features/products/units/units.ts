import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { described, from, idText, nullable, thousandths } from "#core/sql/fields.ts";
import { readAll } from "#core/sql/read-records.ts";
import { record } from "#core/sql/record.ts";
import type { Refusals } from "#core/write/atomic.ts";
import { collectionVerbs } from "#core/write/collection.ts";
import { quantity } from "#shared/fields/numbers.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";
import { fieldProblem } from "#shared/problem.ts";
import { products, units } from "#tables/products";

const unitCode = z.string().regex(/^[A-Z0-9]{1,10}$/, "must be 1 to 10 capital letters or digits");
const sent = z.object({
  code: unitCode,
  name: cleanText({ min: 1, max: 100 }),
  base_code: unitCode.nullable().meta({
    description: "The unit that this one is a multiple or part of. Send it together with `factor`.",
  }),
  factor: quantity()
    .nullable()
    .meta({ description: "How many base units make one of this unit: 12 for a dozen of pieces." }),
});
const create = sent.partial().required({ code: true, name: true });

const measuredUnit = record(
  units,
  {
    id: idText,
    code: z.string().meta({ description: "Unit quantity code (UQC) of the GST returns." }),
    name: z.string(),
    base_code: z.string().nullable().describe("The unit that this one is a multiple or part of."),
    factor: from(
      units.factorThousandths,
      described(nullable(thousandths), "How many base units make one of this unit."),
    ),
  },
  "UnitSettings",
);
/** A unit of measure as a product shows it. */
export const unit = measuredUnit.pick("id", "code", "name");

const REFUSALS: Refusals = {
  unit_base: () => fieldProblem("base_code", "not_found", "must name a unit that has no base itself"),
  unit_conversion: () =>
    fieldProblem("factor", "required", "must be sent together with base_code, of another unit"),
};

const listUnits = (ctx: CallCtx) => readAll(ctx, unit.select(sql`true ORDER BY ${units.code}`));

export const unitRoutes = new Router("Products", "/units").all({ listUnits }, "/", {
  summary: "List units of measure",
  record: { schema: unit.schema.meta({ id: "Unit" }), render: unit.render },
});

export const unitSettingsRoutes = new Router("Settings: Units and categories", "/units").collection({
  ids: { one: "Unit", list: "listUnitSettings" },
  words: ["a unit of measure", "the units of measure"],
  record: measuredUnit,
  create,
  patch: patchOf(sent),
  keepsTexts: true,
  verbs: collectionVerbs({
    record: measuredUnit,
    create,
    columns: ({ factor: factorThousandths, ...rest }) => ({ ...columnsOf(units, rest), factorThousandths }),
    made: ({ code }) => eq(units.code, code),
    usedBy: (id) => sql`EXISTS (SELECT 1 FROM ${products} WHERE ${products.unitId} = ${id})`,
    refusals: REFUSALS,
  }),
  problems: { create: ["conflict"], update: ["conflict"], delete: ["in_use"] },
  notes: { delete: { description: "Refused while a product refers to it." } },
});
