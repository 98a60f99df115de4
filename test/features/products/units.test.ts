import { expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { openSound } from "../../support/oracles.ts";
import { adjust, newProduct, stockOf } from "../money.ts";
import { refusal } from "../refusal.ts";

const company = await openSound();
const change = (id: string, body: unknown) => company.call("PATCH", `/products/:company/${id}`, { body });

type Unit = { id: string; code: string; name: string };
const units = await company.read<Unit[]>("/products/:company/units");
const idOf = (code: string) => units.find((unit) => unit.code === code)?.id;

test("units are the codes of the GST returns from the start, listed by code in one page", async () => {
  expect(Object.keys((await company.call("GET", "/products/:company/units")).body)).toEqual(["data"]);
  const codes = units.map(({ code }) => code);
  expect(codes).toEqual(codes.toSorted());
  expect(codes).toEqual(
    expect.arrayContaining(["NOS", "PCS", "KGS", "LTR", "MTR", "BOX", "SET", "HRS", "OTH"]),
  );
  for (const names of [codes, units.map(({ id }) => id)]) expect(new Set(names).size).toBe(units.length);
  expect(units).toContainEqual({ id: expect.stringMatching(/^[1-9]\d*$/), code: "KGS", name: "Kilograms" });
  for (const code of codes) expect(code).toMatch(/^[A-Z]{3}$/);
});

test("units of a product change until its stock was moved, for that is counted in them", async () => {
  const { id } = await newProduct(company, { track_stock: true, unit_id: idOf("NOS") });
  must(await change(id, { unit_id: idOf("DOZ") }), 200);
  must(await adjust(company, id, { adjustment_type: "increase", quantity: 3 }), 201);
  expect(await change(id, { unit_id: idOf("NOS") })).toMatchObject(refusal(409, "in_use"));
  must(await change(id, { unit_id: idOf("DOZ"), name: "Bottles" }), 200);
  expect(await stockOf(company, id)).toBe(3);
});
