import { expect, test } from "vitest";
import { must, openCompany, type TestCompany } from "../../support/company.ts";
import { adjust, newProduct, stockOf } from "../money.ts";
import { refusal } from "../refusal.ts";

const patch = (company: TestCompany, id: string, body: object) =>
  company.call("PATCH", `/products/:company/${id}`, { body });

test("the unit of a product changes until its stock was moved, for that is counted in it", async () => {
  const company = await openCompany();
  const { body } = await company.call<{ id: string; code: string }[]>("GET", "/products/:company/units");
  const unit = (code: string) => body.data.find((one) => one.code === code)?.id;
  const { id } = await newProduct(company, { track_stock: true, unit_id: unit("NOS") });
  must(await patch(company, id, { unit_id: unit("DOZ") }), 200);
  must(await adjust(company, id, { adjustment_type: "increase", quantity: 3 }), 201);
  expect(await patch(company, id, { unit_id: unit("NOS") })).toMatchObject(refusal(409, "in_use"));
  must(await patch(company, id, { unit_id: unit("DOZ"), name: "Bottles" }), 200);
  expect(await stockOf(company, id)).toBe(3);
});
