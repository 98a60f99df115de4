import { describe, expect, test } from "vitest";
import { openCompany } from "../../support/company.ts";
import { newCustomer, postCustomer, REGISTERED, refusedFields } from "../commerce.ts";

const [registered, unregistered] = await Promise.all([
  openCompany(REGISTERED),
  openCompany({ state: "Karnataka" }),
]);

test.each([
  ["Orissa", "21", "Odisha"],
  ["कर्नाटक", "29", "Karnataka"],
])("state %j is %s %s", async (state, code, name) => {
  expect(await newCustomer(registered, { state })).toMatchObject({ state: name, state_code: code });
});

describe("a state that India does not have", () => {
  test.each(["Victoria", "28", "00", "XX", "29-Kerala"])(
    "%j is refused by a company registered for GST",
    async (state) => {
      const answer = await postCustomer(registered, { state });
      expect(answer).toMatchObject({ status: 422, body: { code: "invalid_state" } });
      expect(refusedFields(answer)).toEqual({ state: "invalid_state" });
    },
  );

  test("is kept as text, without a code, by a company that is not registered", async () => {
    expect(await newCustomer(unregistered, { state: " Upper  Valley " })).toMatchObject({
      state: "Upper Valley",
      state_code: null,
    });
  });

  test("is still recognised by a company that is not registered where it is one of India's", async () => {
    expect(await newCustomer(unregistered, { state: "orissa" })).toMatchObject({
      state: "Odisha",
      state_code: "21",
    });
  });
});

test("the state of a customer abroad is text, also where India has a state of that name", async () => {
  const abroad = { country: "au", pincode: "3000" };
  expect(await newCustomer(registered, { ...abroad, state: "Victoria" })).toMatchObject({
    country: "AU",
    state: "Victoria",
    state_code: null,
    gst_category: "overseas",
  });
  expect(await newCustomer(registered, { ...abroad, state: "Punjab" })).toMatchObject({
    state: "Punjab",
    state_code: null,
  });
});

test("a customer is of the company's country and currency unless it says otherwise", async () => {
  const school = await openCompany({ country: "AU", currency: "AUD", timezone: "Australia/Sydney" });
  expect(await newCustomer(school, { state: "NSW", pincode: "2150" })).toMatchObject({
    country: "AU",
    currency: "AUD",
    state: "NSW",
    state_code: null,
  });
});
