import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { addDays } from "#shared/time/dates.ts";
import { financialYearOf } from "#shared/time/financial-year.ts";
import type { Plan } from "./floor.ts";
import type { Company, Scenario } from "./scenarios.ts";

/** Where the company's database and the payment gateway are. */
export type Places = { company: string; gateway: string; token: string };
type Recorded = { to: "company" | "gateway"; path: string; body: object };

// A path is known by its words.
const NUMBERS = /[\d#]+/g;
const DAY_MS = 86_400_000;
const HOLD_MS = 900_000;
const RECENT_MS = 300_000;
const DUE_DAYS = 15;
const PLACEHOLDER = /\{((?:fresh|reply) [\w ]+)\}/;
// Demo values of the bench's own gateway.
const GATEWAY_KEY = `Basic ${btoa("rzp_test_bench:demo-key-secret")}`;

/**
 * What the floor sends for each scenario, by method and path: floor.json with this run's values in the place of their
 * names. Throws for a scenario that floor.json does not know.
 */
export async function plansOf(
  scenarios: readonly Scenario[],
  company: Company,
  places: Places,
): Promise<Record<string, Plan>> {
  const file = await readFile(join(import.meta.dirname, "floor.json"), "utf8");
  const recorded: Record<string, Recorded[]> = JSON.parse(file);
  const values = valuesOf(company);
  return Object.fromEntries(
    scenarios.map(({ name, method, path, status }) => {
      const requests = recorded[name]?.map((request) => ({
        url: places[request.to] + request.path,
        authorization: request.to === "gateway" ? GATEWAY_KEY : `Bearer ${places.token}`,
        parts: partsOf(filled(JSON.stringify(request.body), values)),
      }));
      if (requests === undefined) throw new Error(`floor.json has no ${name}`);
      return [
        `${method} ${path.split("?")[0]?.replaceAll(NUMBERS, "#")}`,
        { status, list: name.endsWith("list"), requests },
      ];
    }),
  );
}

/** All that the requests name of this run; what is new in each request is left to the floor. */
function valuesOf(company: Company): Record<string, string> {
  const now = Date.now();
  const { today } = company;
  const { name, short, start, end } = financialYearOf(today);
  const tomorrow = Date.parse(company.tomorrow);
  return {
    "customer id": company.customerId,
    "invoice id": company.invoiceId,
    "product id": company.productId,
    "course id": company.courseId,
    "owed id": company.owedInvoiceId,
    "key id": company.credentials["X-Client-Id"] ?? "",
    now: String(now),
    expiry: String(now + HOLD_MS),
    recent: String(now - RECENT_MS),
    today,
    tomorrow: company.tomorrow,
    since: String(tomorrow - 2 * DAY_MS),
    until: String(tomorrow + 2 * DAY_MS),
    "due date": addDays(today, DUE_DAYS),
    year: name,
    "short year": short,
    "year start": start,
    "year end": end,
  };
}

function filled(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\{([a-z]+(?: [a-z]+)?)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** A text cut at the names in it, which every second piece of the split is. */
function partsOf(text: string) {
  const pieces = text.split(PLACEHOLDER);
  return pieces.flatMap((piece, index) => {
    if (index % 2 === 1) return [];
    const name = pieces[index + 1]?.replace("reply ", "");
    return [name === undefined ? { text: piece } : { text: piece, name }];
  });
}
