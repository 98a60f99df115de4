import { expect, test } from "vitest";
import { openCompany } from "../../support/company.ts";
import { expectSound, openSound } from "../../support/oracles.ts";
import { deleteCustomer, newCustomer, patchCustomer, postCustomer } from "../commerce.ts";
import { times } from "../money.ts";

const GSTIN = "29AABCR1718E1ZL";
const OTHER = "24AAQCA8719H1ZC";

const company = await openSound({ state: "Karnataka" });

test("a GSTIN belongs to one live customer: another is 409 with the id of its customer", async () => {
  const { id } = await newCustomer(company, { gstin: GSTIN });
  const duplicate = await postCustomer(company, { name: "Another", gstin: GSTIN.toLowerCase() });
  expect(duplicate).toMatchObject({ status: 409, body: { code: "duplicate_customer", customer_id: id } });

  const { id: secondId } = await newCustomer(company, { name: "Second", state: "Gujarat", gstin: OTHER });
  const changed = await patchCustomer(company, secondId, { gstin: GSTIN, state: "Karnataka" });
  expect(changed).toMatchObject({ status: 409, body: { code: "duplicate_customer", customer_id: id } });
  expect(await patchCustomer(company, id, { gstin: GSTIN })).toMatchObject({ status: 200 });

  await deleteCustomer(company, id);
  expect(await patchCustomer(company, secondId, { gstin: GSTIN, state: "Karnataka" })).toMatchObject({
    status: 200,
  });
  expect(await postCustomer(company, { state: "Gujarat", gstin: OTHER })).toMatchObject({ status: 201 });
});

test("of ten creates with one GSTIN at the same time exactly one succeeds", async () => {
  const own = await openCompany({ state: "Karnataka" });
  const answers = await times(10, (index) => postCustomer(own, { name: `Racer ${index}`, gstin: GSTIN }));
  const created = answers.filter(({ status }) => status === 201);
  expect(created.length).toBe(1);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const answer of refused) {
    expect(answer).toMatchObject({
      status: 409,
      body: { code: "duplicate_customer", customer_id: created[0]?.body.data.id },
    });
  }
  expect(await own.rows("SELECT count(*) AS customers FROM customers")).toEqual([{ customers: 1 }]);
  await expectSound(own);
});

test("names, e-mail addresses and phone numbers may be those of another customer", async () => {
  const same = { name: "Twin", email: "twin@example.com", phone: "98765 43210" };
  const [first, second] = [await newCustomer(company, same), await newCustomer(company, same)];
  expect(second).toMatchObject(same);
  expect(second.id).not.toBe(first.id);
});
