import { describe, expect, test } from "vitest";
import { gstinCheckDigit } from "#shared/gst/gstin.ts";
import { openCompany } from "../../support/company.ts";
import { openSound } from "../../support/oracles.ts";
import { newCustomer, patchCustomer, postCustomer, REGISTERED, refusedFields } from "../commerce.ts";
import { refusal } from "../refusal.ts";

const KARNATAKA = "29AABCR1718E1ZL";
const GUJARAT = "24AAQCA8719H1ZC";

const company = await openSound(REGISTERED);

test("a GSTIN gives the PAN, and is refused in another state or with another check digit", async () => {
  for (const [code, given] of [
    ["gstin_state_mismatch", { state: "Kerala", gstin: KARNATAKA }],
    ["invalid_gstin", { state: "Karnataka", gstin: "29AABCR1718E1Z0" }],
  ] as const) {
    const answer = await postCustomer(company, given);
    expect(answer).toMatchObject(refusal(422, code));
    expect(refusedFields(answer)).toEqual({ gstin: code });
  }
  const shown = { state_code: "29", pan: "AABCR1718E", gst_category: "regular" };
  expect(await newCustomer(company, { state: "Karnataka", gstin: KARNATAKA })).toMatchObject(shown);
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
