import { describe, expect, test } from "vitest";
import { document as described } from "#test/api-document.ts";
import { must, openCompany } from "../../support/company.ts";

type Json = Record<string, unknown>;

const MOST = "9007199254740991";
const ABOVE = ["9007199254740992", "9007199254740993", "9999999999999999", "10000000000000000", "1e16"];
const document = described as unknown as Json;

/** Every schema of the document that has both forms of an id, or a path's one. */
function idSchemas(value: unknown): Json[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Object(value).pattern === "^[1-9][0-9]{0,15}$" ? [value as Json] : [];
  const both = (Object(value).anyOf as Json[] | undefined)?.some(
    ({ pattern }) => pattern === "^[1-9][0-9]{0,15}$",
  );
  return [...own, ...(both === true ? [value as Json] : []), ...Object.values(value).flatMap(idSchemas)];
}

test("the document takes ids to 2^53 - 1, in figures and in digits", () => {
  const found = idSchemas(document);
  const references = found.filter(({ anyOf }) => anyOf !== undefined);
  expect(found.length).toBeGreaterThan(150);
  expect(references.length).toBeGreaterThan(40);
  for (const { anyOf } of references)
    expect(anyOf).toEqual([
      { type: "integer", minimum: 1, maximum: Number(MOST) },
      { type: "string", pattern: "^[1-9][0-9]{0,15}$", description: expect.stringContaining(MOST) },
    ]);
});

const company = await openCompany({ state: "Karnataka" });

describe("an id", () => {
  const item = { item_name: "Bottle", quantity: 1, unit: "NOS", unit_price: 100, tax_rate: 18 };
  const inBody = (written: string) =>
    company.call("POST", "/invoices/:company", {
      body: `{"customer_id":${written},"items":[${JSON.stringify(item)}]}`,
    });
  const errorsOf = async (answer: ReturnType<typeof inBody>) => {
    const { status, body } = await answer;
    return [status, body.errors?.map(({ field, code }) => `${field} ${code}`)];
  };

  test("of 2^53 - 1 is an id like any other, in a body, a query and a path", async () => {
    const noSuch = [422, ["customer_id not_found"]];
    expect([await errorsOf(inBody(MOST)), await errorsOf(inBody(`"${MOST}"`))]).toEqual([noSuch, noSuch]);
    must(await company.call("GET", `/invoices/:company?customer_id=${MOST}`), 200);
    const answer = await company.call("GET", `/invoices/:company/${MOST}`);
    expect(answer).toMatchObject({ status: 404, body: { code: "not_found", resource: "invoice" } });
  });

  test.each(ABOVE)("of %s is 422 in a body and in a query, and in a path no record", async (id) => {
    const invalid = [422, ["customer_id invalid_id"]];
    expect([await errorsOf(inBody(id)), await errorsOf(inBody(`"${id}"`))]).toEqual([invalid, invalid]);
    expect(await errorsOf(company.call("GET", `/invoices/:company?customer_id=${id}`))).toEqual(invalid);
    expect((await company.call("GET", `/invoices/:company/${id}`)).status).toBe(404);
  });
});
