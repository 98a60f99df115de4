import { beforeAll, expect, test } from "vitest";
import { openCompany, type TestCompany } from "../../support/company.ts";
import { newCustomer, patchCustomer, postCustomer, REGISTERED, refusedFields } from "../commerce.ts";

let company: TestCompany;
beforeAll(async () => {
  company = await openCompany(REGISTERED);
});

test.each(["560001", "100000", "999999", " 560001 "])("%j is a pincode of India", async (pincode) => {
  expect(await newCustomer(company, { pincode })).toMatchObject({ pincode: pincode.trim() });
});

test.each(["012345", "56000", "5600011", "56000A", "560 001", "560-001", "५६०००१", "560001\u00a0x"])(
  "%j is no pincode of India",
  async (pincode) => {
    const answer = await postCustomer(company, { pincode });
    expect(answer).toMatchObject({ status: 422, body: { code: "invalid_pincode" } });
    expect(refusedFields(answer)).toEqual({ pincode: "invalid_pincode" });
  },
);

test("a pincode is not held against its state: the ranges of the postal circles overlap", async () => {
  expect(await newCustomer(company, { state: "Kerala", pincode: "110001" })).toMatchObject({
    pincode: "110001",
  });
});

test.each(["2150", "SW1A 1AA", "012", "D02-X285"])("%j is a postcode abroad", async (pincode) => {
  expect(await newCustomer(company, { country: "GB", state: "London", pincode })).toMatchObject({ pincode });
});

test.each(["21", "SW1A_1AA", "Ø123"])("%j is no postcode abroad", async (pincode) => {
  const answer = await postCustomer(company, { country: "GB", state: "London", pincode });
  expect(answer).toMatchObject({ status: 422, body: { code: "invalid_pincode" } });
});

test("a change of country is held against the pincode that is stored", async () => {
  const { id } = await newCustomer(company, { country: "GB", state: "London", pincode: "SW1A 1AA" });
  const answer = await patchCustomer(company, id, { country: "IN", state: "Delhi" });
  expect(answer).toMatchObject({ status: 422, body: { code: "invalid_pincode" } });
  expect(
    await patchCustomer(company, id, { country: "IN", state: "Delhi", pincode: "110001" }),
  ).toMatchObject({
    status: 200,
    body: { data: { country: "IN", state: "Delhi", state_code: "07", pincode: "110001" } },
  });
});
