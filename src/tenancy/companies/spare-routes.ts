import { ControlRouter } from "../control-router.ts";
import { CompanyParams, SpareDatabase, SpareDatabaseParams, SpareDatabaseUse } from "./schema.ts";
import { makeSpareDatabase, removeSpareDatabase } from "./spare-database.ts";
import type { SpareDatabaseRow } from "./spare-state.ts";
import { useSpareDatabase } from "./use-spare-database.ts";

const record = {
  schema: SpareDatabase,
  render: ({ slug, database, spare }: SpareDatabaseRow) => ({ slug, database, spare }),
};

/** A company's second database, which a restore into that company fills: for the operator. */
export const spareDatabaseRoutes = new ControlRouter("Platform", "/companies", {
  record,
  params: SpareDatabaseParams,
})
  .create({ makeSpareDatabase }, "/:slug/spare-database", {
    params: CompanyParams,
    summary: "Make a second, empty database for a company",
    description:
      "For a restore into a suspended company. One that works, or keeps a spare database already, is refused with 409.",
    problems: ["company_not_found", "conflict"],
  })
  .post({ useSpareDatabase }, "/:slug/spare-database/:name/use", {
    summary: "Give a company its spare database",
    description:
      "Only while the company is suspended. What was its database is kept as the spare one, and may be used again; it is marked as replaced first, and is not served from then on. Where a call was cut off, the same call completes it; one that names the company's own database ends what was begun and not completed. 409 `conflict` where the database that would be replaced does not answer, or where another one has taken its place since.",
    body: SpareDatabaseUse,
    problems: ["conflict"],
  })
  .delete({ removeSpareDatabase }, "/:slug/spare-database/:name", {
    record,
    summary: "Remove a company's spare database",
    description:
      "With all that is in it: of the company that a restore has replaced, or of a restore that failed. One that does not bear its own name is kept, and only forgotten. One that has taken the place of the company's own is refused.",
    problems: ["conflict"],
  });
