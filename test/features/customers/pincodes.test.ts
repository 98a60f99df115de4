import { describe, expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";
import {
  customerBody,
  getCustomer,
  newCustomer,
  patchCustomer,
  postCustomer,
  REGISTERED,
  refusedFields,
} from "../commerce.ts";

const company = await openCompany(REGISTERED);

test.each(["100000", "999999"])("%j is a pincode of India", async (pincode) => {
  expect(await newCustomer(company, { pincode })).toMatchObject({ pincode });
});

test.each(["012345", "56000", "5600011", "56000A", "5600 01", "560001\u00a0x"])(
  "%j is no pincode of India",
  async (pincode) => {
    const answer = await postCustomer(company, { pincode });
    expect(answer).toMatchObject({ status: 422, body: { code: "invalid_pincode" } });
    expect(refusedFields(answer)).toEqual({ pincode: "invalid_pincode" });
  },
);

describe("a pincode outside its state's ranges is taken, and warned of", () => {
  const ELSEWHERE = { state: "Kerala", pincode: "110001" };

  test("by the answers of create and update, a retry too, and by no read", async () => {
    const headers = { "Idempotency-Key": "warned" };
    const body = { ...customerBody, ...ELSEWHERE };
    const made = must(await company.call("POST", "/customers/:company", { body, headers }), 201);
    expect(made.body.data).toMatchObject({ ...ELSEWHERE, warnings: ["pincode_outside_state"] });
    const again = await company.call("POST", "/customers/:company", { body, headers });
    expect(again.text).toBe(made.text);
    const id = String(made.body.data.id);
    expect(must(await getCustomer(company, id), 200).body.data).not.toHaveProperty("warnings");
    expect((await patchCustomer(company, id, { name: "Anil" })).body.data).toHaveProperty("warnings");
    const moved = must(await patchCustomer(company, id, { pincode: "682001" }), 200).body.data;
    expect(moved).not.toHaveProperty("warnings");
  });

  test.each([
    ["Karnataka", "559999", true],
    ["Karnataka", "560001", false],
    ["Karnataka", "591999", false],
    ["Karnataka", "592000", true],
    ["Puducherry", "605001", false],
    ["Puducherry", "606001", true],
    ["Telangana", "110001", false],
    ["Ladakh", "194101", false],
  ])("%s %s: %s", async (state, pincode, warned) => {
    expect("warnings" in (await newCustomer(company, { state, pincode }))).toBe(warned);
  });

  test("and abroad nothing is known of it", async () => {
    const abroad = { country: "GB", state: "Kerala", pincode: "110001" };
    expect(await newCustomer(company, abroad)).not.toHaveProperty("warnings");
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
