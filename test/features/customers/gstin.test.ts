import { afterAll, describe, expect, test } from "vitest";
import { gstinCheckDigit } from "#shared/gst/gstin.ts";
import { stateName } from "#shared/places/states.ts";
import { openCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import vectors from "../../vectors/gstin.json" with { type: "json" };
import { newCustomer, patchCustomer, postCustomer, REGISTERED, refusedFields } from "../commerce.ts";
import { refusal } from "../refusal.ts";

const KARNATAKA = "29AABCR1718E1ZL";
const GUJARAT = "24AAQCA8719H1ZC";

const company = await openCompany(REGISTERED);
afterAll(() => expectSound(company));

describe("every vector holds through the API", async () => {
  // Two companies of their own, for each GSTIN is one customer's.
  const [valid, corrected] = await Promise.all([openCompany(REGISTERED), openCompany(REGISTERED)]);

  test.each(vectors.valid)("%s is accepted, with its own state only", async (gstin) => {
    const stateCode = gstin.slice(0, 2);
    const elsewhere = stateCode === "27" ? "Kerala" : "Maharashtra";
    const answer = await postCustomer(valid, { state: elsewhere, gstin });
    expect(answer).toMatchObject(refusal(422, "gstin_state_mismatch"));
    expect(refusedFields(answer)).toEqual({ gstin: "gstin_state_mismatch" });
    expect(await newCustomer(valid, { state: stateName(stateCode), gstin })).toMatchObject({
      gstin,
      state_code: stateCode,
      pan: gstin.slice(2, 12),
      gst_category: "regular",
    });
  });

  test.each(Object.entries(vectors.invalid_check_digit))(
    "%s is refused: its check digit is %s",
    async (gstin, digit) => {
      const state = gstin.slice(0, 2);
      const answer = await postCustomer(company, { state, gstin });
      expect(answer).toMatchObject(refusal(422, "invalid_gstin"));
      expect(refusedFields(answer)).toEqual({ gstin: "invalid_gstin" });
      const right = `${gstin.slice(0, 14)}${digit}`;
      expect(await newCustomer(corrected, { state, gstin: right })).toMatchObject({ gstin: right });
    },
  );
});

test("a PAN that is not the one in the GSTIN is refused, by POST and PATCH", async () => {
  const own = await openCompany(REGISTERED);
  const answer = await postCustomer(own, { state: "Gujarat", gstin: GUJARAT, pan: "AABCR1718E" });
  expect(refusedFields(answer)).toEqual({ pan: "gstin_pan_mismatch" });
  const { id } = await newCustomer(own, { state: "Gujarat", gstin: GUJARAT, pan: "AAQCA8719H" });
  expect(refusedFields(await patchCustomer(own, id, { pan: "AABCR1718E" }))).toEqual({
    pan: "gstin_pan_mismatch",
  });
  // One of before stays, and stands in the way of no other change.
  await own.rows("UPDATE customers SET pan = 'AABCR1718E'");
  expect((await patchCustomer(own, id, { pincode: "380001" })).body.data).toMatchObject({
    pan: "AABCR1718E",
  });
  expect((await patchCustomer(own, id, { pan: null })).body.data).toMatchObject({ pan: "AAQCA8719H" });
});

test("an empty GSTIN is none", async () => {
  expect(await newCustomer(company, { gstin: "" })).toMatchObject({
    gstin: null,
    gst_category: "unregistered",
  });
  expect(await newCustomer(company, { gstin: null })).toMatchObject({ gstin: null });
});

test.each([
  ["99 names no state", "9917SGP29001OST"],
  ["97 is other territory", `97AAAAR6720M1Z${gstinCheckDigit("97AAAAR6720M1Z")}`],
])("%s, so the customer's own state counts", async (_what, gstin) => {
  expect(await newCustomer(company, { state: "Kerala", gstin })).toMatchObject({ gstin, state_code: "32" });
});

test.each([
  ["0717UNO00157UNO", "Delhi", "uin"],
  ["29AABCR1718E1DU", "Karnataka", "tds"],
  ["29AABCR1718E1CW", "Karnataka", "tcs"],
])("the form of %s gives the category, until another GSTIN comes", async (gstin, state, category) => {
  const own = await openCompany(REGISTERED);
  const created = await newCustomer(own, { state, gstin });
  expect(created).toMatchObject({ gst_category: category });
  const changed = await patchCustomer(own, created.id, { gstin: KARNATAKA, state: "Karnataka" });
  expect(changed.body.data).toMatchObject({ gst_category: "regular" });
  const cleared = await patchCustomer(own, created.id, { gstin: null });
  expect(cleared.body.data).toMatchObject({ gst_category: "unregistered" });
});

describe("on a change", () => {
  test("the PAN and the category follow a new GSTIN", async () => {
    const { id } = await newCustomer(company, { state: "Gujarat" });
    expect((await patchCustomer(company, id, { gstin: GUJARAT })).body.data).toMatchObject({
      gstin: GUJARAT,
      pan: "AAQCA8719H",
      gst_category: "regular",
    });
    const { data } = (await patchCustomer(company, id, { gstin: "24AANFA2641L1ZF" })).body;
    expect(data).toMatchObject({ gstin: "24AANFA2641L1ZF", pan: "AANFA2641L", gst_category: "regular" });
    const cleared = (await patchCustomer(company, id, { gstin: null })).body.data;
    expect(cleared).toMatchObject({ gstin: null, gst_category: "unregistered" });
  });

  test("a GSTIN and a state are held against what is stored, and change together", async () => {
    const { id } = await newCustomer(company, { state: "Kerala" });
    expect(await patchCustomer(company, id, { gstin: "27AAPFU0939F1ZV" })).toMatchObject(
      refusal(422, "gstin_state_mismatch"),
    );
    expect(await patchCustomer(company, id, { gstin: "27AAPFU0939F1ZV", state: "MH" })).toMatchObject({
      status: 200,
      body: { data: { gstin: "27AAPFU0939F1ZV", state: "Maharashtra", state_code: "27" } },
    });
    expect(await patchCustomer(company, id, { state: "Kerala" })).toMatchObject(
      refusal(422, "gstin_state_mismatch"),
    );
  });

  test("a GSTIN and a state sent apart at the same time never end up against each other", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await newCustomer(company, { state: "Tamil Nadu" });
      const answers = await Promise.all([
        patchCustomer(company, id, { gstin: "33AAAAR6720M1ZG" }),
        patchCustomer(company, id, { state: "Kerala" }),
      ]);
      expect(answers.map(({ status }) => status).filter((status) => status === 200).length).toBe(1);
      expect(answers.find(({ status }) => status !== 200)?.body.code).toBe("gstin_state_mismatch");
      await company.call("DELETE", `/customers/:company/${id}`);
    }
  });
});
