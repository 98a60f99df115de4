import { describe, expect, test } from "vitest";
import { must } from "../../support/company.ts";
import { openSound } from "../../support/oracles.ts";
import {
  customerBody,
  deleteCustomer,
  getCustomer,
  listCustomers,
  newCustomer,
  postCustomer,
} from "../commerce.ts";
import { erase } from "../erasures/person.ts";
import { newProduct, tally, times } from "../money.ts";
import { refusal, wrongField } from "../refusal.ts";

const company = await openSound({ state: "Karnataka" });

const external = (id: string) => `/customers/:company/external/${id}`;
const put = (id: string, fields: object = {}, call = {}) =>
  company.call<{ id: string; external_id: string; name: string }>("PUT", external(id), {
    body: { ...customerBody, ...fields },
    ...call,
  });

describe("an id of the caller's own", () => {
  test("stands in the record, its event and its row of the list, which it finds", async () => {
    const { id, external_id: own } = await newCustomer(company, { external_id: "crm-1" });
    expect(own).toBe("crm-1");
    expect(must(await getCustomer(company, id), 200).body.data.external_id).toBe("crm-1");
    expect(await listCustomers(company, "external_id=crm-1")).toMatchObject([{ id, external_id: "crm-1" }]);
    expect(await listCustomers(company, "external_id=crm-1&q=meera")).toMatchObject([{ id }]);
    expect(await listCustomers(company, "external_id=crm-0")).toEqual([]);
    const events = await company.read<{ data: object }[]>("/settings/:company/events?type=customer.created");
    expect(events[0]).toMatchObject({ data: { id, external_id: "crm-1" } });
    const product = await newProduct(company, { external_id: "crm-1" });
    expect(product.external_id).toBe("crm-1");
    expect(await company.read("/products/:company?external_id=crm-1")).toMatchObject([{ id: product.id }]);
    expect((await newCustomer(company)).external_id).toBeNull();
  });

  test("is 1 to 120 visible characters, and a blank one is none", async () => {
    for (const own of ["", null])
      expect((await newCustomer(company, { external_id: own })).external_id).toBeNull();
    for (const own of ["a b", "x".repeat(121), "é\n", "..", 7])
      expect((await postCustomer(company, { external_id: own })).status).toBe(422);
    const longest = `!${"~".repeat(119)}`;
    expect((await newCustomer(company, { external_id: longest })).external_id).toBe(longest);
  });

  test("is taken once: another create is 409 with the id of the first where the key may read it", async () => {
    const { id } = await newCustomer(company, { external_id: "crm-2" });
    const again = await postCustomer(company, { external_id: "crm-2" });
    expect(again).toMatchObject(refusal(409, "duplicate_external_id", { id }));
    const key = await company.key("customers:write");
    const body = { ...customerBody, external_id: "crm-2" };
    const unread = await company.call("POST", "/customers/:company", { body, key });
    expect(unread).toMatchObject(refusal(409, "duplicate_external_id"));
    expect(unread.body).not.toHaveProperty("id");
  });

  test("comes behind the Idempotency-Key, whose first answer it repeats", async () => {
    const call = { headers: { "Idempotency-Key": "own-1" }, body: { ...customerBody, external_id: "crm-3" } };
    const first = must(await company.call("POST", "/customers/:company", call), 201);
    const second = must(await company.call("POST", "/customers/:company", call), 201);
    expect(second.headers.get("Idempotent-Replayed")).toBe("true");
    expect(second.body).toEqual(first.body);
  });

  test("stays taken by a deleted and an erased customer; of the latter a keyed hash is kept", async () => {
    const { id } = await newCustomer(company, { external_id: "crm-4" });
    await deleteCustomer(company, id);
    const retired = refusal(409, "external_id_retired");
    expect(await postCustomer(company, { external_id: "crm-4" })).toMatchObject(retired);
    expect(await put("crm-4")).toMatchObject(retired);

    const email = "gone@mail.example";
    const own = "asha@mail.example";
    await newCustomer(company, { external_id: own, email });
    await erase(company, { email });
    for (const answer of [await postCustomer(company, { external_id: own }), await put(own)]) {
      expect(answer).toMatchObject(retired);
      expect(answer.body).not.toHaveProperty("id");
    }
    expect(await company.rows("SELECT * FROM external_ids WHERE external_id LIKE '%asha%'")).toEqual([]);
    const hashed = await company.rows("SELECT external_id FROM external_ids WHERE external_id GLOB ' *'");
    expect(hashed).toHaveLength(1);
  });
});

describe("PUT by an id of the caller's own", () => {
  test("creates the customer with 201, then changes what is sent of it with 200", async () => {
    const made = must(await put("put-1", { email: "a@mail.example", notes: "Pays late" }), 201).body.data;
    expect(made).toMatchObject({ external_id: "put-1", email: "a@mail.example" });
    const changed = must(await put("put-1", { name: "Meera & Sons" }), 200).body.data;
    expect(changed).toEqual({
      ...made,
      name: "Meera & Sons",
      ledger_account_name: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await put("put-1", { external_id: "put-2" })).toMatchObject(
      wrongField("external_id", "invalid_value"),
    );
    expect(await put("a%20b")).toMatchObject(wrongField("external_id", "invalid_format"));
    const key = await company.key("customers:write");
    expect((await put("put-1", {}, { key })).status).toBe(200);
    expect((await put("put-2", {}, { key })).status).toBe(201);
  });

  test("of 20 at once makes one record, with one 201", async () => {
    const answers = await times(20, (n) => put("put-race", { name: `Racer ${n}` }));
    expect(tally(answers)).toEqual({ 200: 19, 201: 1 });
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  });

  test("changes of a product what a change may name", async () => {
    const path = "/products/:company/external/sku%2F1";
    const [{ id: unit = "" } = {}] = await company.read<{ id: string }[]>("/products/:company/units");
    const body = { name: "Bottle", unit_id: unit, track_stock: true, opening_stock: 5, selling_price: 10 };
    const made = must(await company.call<{ id: string }>("PUT", path, { body }), 201).body.data;
    expect(made).toMatchObject({ external_id: "sku/1", current_stock: 5 });
    const { selling_price: _, ...rest } = body;
    const changed = await company.call("PUT", path, { body: { ...rest, name: "Flask", opening_stock: 9 } });
    expect(must(changed, 200).body.data).toMatchObject({ id: made.id, name: "Flask", selling_price: 10 });
  });
});
