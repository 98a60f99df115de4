import { expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";

type Unit = { id: string; code: string; name: string };

test("every company starts with the unit codes of the GST returns, listed by code in one page", async () => {
  const company = await openCompany();
  const answer = must(await company.call<Unit[]>("GET", "/products/:company/units"), 200);
  expect(Object.keys(answer.body)).toEqual(["data"]);
  const units = answer.body.data;
  const codes = units.map(({ code }) => code);
  expect(codes).toEqual(codes.toSorted());
  expect(codes).toEqual(
    expect.arrayContaining(["NOS", "PCS", "KGS", "LTR", "MTR", "BOX", "SET", "HRS", "OTH"]),
  );
  expect([new Set(codes).size, new Set(units.map(({ id }) => id)).size]).toEqual([
    units.length,
    units.length,
  ]);
  expect(units.find(({ code }) => code === "KGS")).toEqual({
    id: expect.stringMatching(/^[1-9]\d*$/),
    code: "KGS",
    name: "Kilograms",
  });
  for (const { code } of units) expect(code).toMatch(/^[A-Z]{3}$/);
});

test("the units are read with products:read", async () => {
  const company = await openCompany();
  const reader = await company.key("products:read");
  const writer = await company.key("products:write");
  expect((await company.call("GET", "/products/:company/units", { key: reader })).status).toBe(200);
  expect(await company.call("GET", "/products/:company/units", { key: writer })).toMatchObject({
    status: 403,
    body: { code: "insufficient_scope", required_scope: "products:read" },
  });
});
