import { and, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { exchangeRate, idText, instant } from "#core/sql/fields.ts";
import { readNewest } from "#core/sql/read-records.ts";
import { record } from "#core/sql/record.ts";
import { collectionVerbs } from "#core/write/collection.ts";
import { exchangeRate as rateSent } from "#shared/fields/numbers.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";
import type { Page } from "#shared/page.ts";
import { fieldProblem } from "#shared/problem.ts";
import { isoDate } from "#shared/time/dates.ts";
import { exchangeRates } from "#tables/ledger";
import { thenPosting } from "../unposted/post-missing.ts";

const currency = z.string().regex(/^[A-Z]{3}$/, "must be a three-letter currency code");
const sent = z.object({
  rate_date: isoDate.describe("The first day for which it holds."),
  rate: rateSent().describe("What one unit is worth in the currency of the books."),
  source: cleanText({ min: 1, max: 200 }).nullable().describe("Where it was published."),
});
const create = sent.partial({ source: true }).extend({
  currency: currency.describe("ISO 4217; another than that of the books."),
});
const filters = z.object({
  currency: currency.optional(),
  from: isoDate.optional().describe("Rates of this day and later."),
  to: isoDate.optional().describe("Rates of this day and earlier."),
});

const rate = record(
  exchangeRates,
  {
    id: idText,
    currency: z.string(),
    rate_date: z.string().describe("The first day for which it holds."),
    rate: exchangeRate,
    source: z.string().nullable().describe("Where it was published."),
    created_at: instant,
    updated_at: instant,
  },
  "ExchangeRate",
);
const NOT_SUPPORTED = "currency_not_supported";
const verbs = collectionVerbs({
  record: rate,
  create,
  refusals: {
    [NOT_SUPPORTED]: () => fieldProblem("currency", NOT_SUPPORTED, "is that of the books", NOT_SUPPORTED),
  },
});

export const exchangeRateRoutes = new Router("Settings: Books", "/exchange-rates").collection({
  ids: { one: "ExchangeRate", list: "listExchangeRates" },
  words: ["an exchange rate", "the exchange rates"],
  record: rate,
  create,
  patch: patchOf(sent),
  filters,
  verbs: {
    ...verbs,
    list: listRates,
    create: thenPosting(verbs.create),
    update: thenPosting(verbs.update),
  },
  problems: {
    create: ["conflict", NOT_SUPPORTED],
    update: ["conflict", "in_use"],
    delete: ["in_use"],
  },
  notes: {
    create: {
      description:
        "Documents in another currency than the books are posted at the newest rate of their day or before, at most 16 days older; what waited for one is posted at once. No rate is fetched from outside.",
    },
    update: { description: "Refused once a document was posted at it." },
    delete: { description: "Refused once a document was posted at it." },
  },
});

function listRates(ctx: CallCtx, _params: unknown, query: z.infer<typeof filters> & { page: Page }) {
  const { currency: of = null, from = null, to = null, page } = query;
  const { currency: its, rateDate } = exchangeRates;
  const within: SQL | undefined = and(
    sql`${its} = coalesce(${of}, ${its})`,
    sql`${rateDate} BETWEEN coalesce(${from}, ${rateDate}) AND coalesce(${to}, ${rateDate})`,
  );
  return readNewest(ctx, page, rate, within);
}
