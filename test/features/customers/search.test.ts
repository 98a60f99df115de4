import { expect, test } from "vitest";
import { openCompany } from "../../support/company.ts";
import { deleteCustomer, newCustomer, patchCustomer, refusedFields, search } from "../commerce.ts";

const company = await openCompany({ state: "Karnataka" });
const customers = [
  { name: "Meera Traders", email: "Accounts@Meera.example", phone: "+91 98765 43210" },
  { name: '50% Off_Season "Sale" \\ O\'Brien', phone: "(080) 2222-1111" },
  { name: "Ünal Börek", email: "unal@borek.example" },
  { name: "ÉCLAIR", email: "50@eclair.example" },
  { name: "Q" },
  { name: "Zed AND OR NOT NEAR(*)" },
];
for (const fields of customers) await newCustomer(company, fields);

const MEERA = "Meera Traders";
const SALE = '50% Off_Season "Sale" \\ O\'Brien';
const ECLAIR = "ÉCLAIR";

test.each([
  ["Meera Traders", [MEERA]],
  ["eera tra", [MEERA]],
  ["MEERA", [MEERA]],
  ["  meera  ", [MEERA]],
  ["accounts@", [MEERA]],
  [".EXAMPLE", [ECLAIR, "Ünal Börek", MEERA]],
  ["98765 432", [MEERA]],
  ["+91 98", [MEERA]],
  ["(080)", [SALE]],
  ["börek", ["Ünal Börek"]],
  ["BÖREK", ["Ünal Börek"]],
  ["éclair", [ECLAIR]],
  ["season", [SALE]],
  ["meera accounts", []],
  ["nobody", []],
])(
  "q finds a part of the name, the e-mail address or the phone number, in any case: %j",
  async (q, names) => {
    expect(await search(company, q)).toEqual(names);
  },
);

test.each([
  ["9876543210", [MEERA]],
  ["919876543210", [MEERA]],
  ["+91-98765-43210", [MEERA]],
  ["876 54", [MEERA]],
  ["08022221111", [SALE]],
  ["2222.1111", [SALE]],
  ["54", [MEERA]],
  ["8022", [SALE]],
])("a phone number is found by its digits, however either is written: %j", async (q, names) => {
  expect(await search(company, q)).toEqual(names);
});

test.each([
  ["Q", ["Q"]],
  ["q", ["Q"]],
  ["ee", [MEERA]],
  ["EE", [MEERA]],
  ["@m", [MEERA]],
  ["zz", []],
])("fewer than three characters are found too: %j", async (q, names) => {
  expect(await search(company, q)).toEqual(names);
});

test.each([
  ["%", [SALE]],
  ["0%", [SALE]],
  ["50%", [SALE]],
  ["_", [SALE]],
  ["f_", [SALE]],
  ["Off_S", [SALE]],
  ["OffxS", []],
  ["5_%", []],
  ["%%", []],
  ["%off", []],
  ['"', [SALE]],
  ['"Sale"', [SALE]],
  ['n "S', [SALE]],
  ["\\", [SALE]],
  ['" \\', [SALE]],
  ["'B", [SALE]],
  ["O'B", [SALE]],
  ["AND OR", ["Zed AND OR NOT NEAR(*)"]],
  ["NEAR(*)", ["Zed AND OR NOT NEAR(*)"]],
  ["name:Meera", []],
  ["Mee*", []],
  ["Meera OR Zed", []],
  ["'; DROP TABLE customers; --", []],
  ["😀", []],
])("what means something to a database is a character like any other: %j", async (q, names) => {
  expect(await search(company, q)).toEqual(names);
});

test.each(["%20", "%09%20", ""])("q=%s, which says nothing, is 422", async (q) => {
  const answer = await company.call("GET", `/customers/:company?q=${q}`);
  expect(answer.status).toBe(422);
  expect(refusedFields(answer)).toEqual({ q: "too_small" });
});

test("q has at most 100 characters", async () => {
  expect(await search(company, "x".repeat(100))).toEqual([]);
  const answer = await company.call("GET", `/customers/:company?q=${"x".repeat(101)}`);
  expect(refusedFields(answer)).toEqual({ q: "too_big" });
});

// For tests that change what is found.
const own = await openCompany();

test.each([
  ["name", "Renamable", "Otherwise"],
  ["email", "old@example.com", "new@example.com"],
  ["phone", "+91 1234567", "+91 7654321"],
])("a customer whose %s alone changed is found by the new one only", async (field, before, after) => {
  const { id } = await newCustomer(own, { name: "Same", [field]: before });
  const found = async (q: string) => (await search(own, q)).length;
  expect([await found(before), await found(before.slice(0, 2))]).toEqual([1, 1]);
  await patchCustomer(own, id, { [field]: after });
  expect([await found(before), await found(after), await found(after.slice(1, 4))]).toEqual([0, 1, 1]);
});

test("a phone number that was taken away is not found by its digits", async () => {
  const { id } = await newCustomer(own, { phone: "+91 1234567" });
  expect((await search(own, "911234567")).length).toBe(1);
  await patchCustomer(own, id, { phone: null });
  expect(await search(own, "911234567")).toEqual([]);
});

test("a customer deleted, by whichever way, is not found, and neither are vendors only", async () => {
  const [deleted, vendor, kept] = [
    await newCustomer(own, { name: "Findable one" }),
    await newCustomer(own, { name: "Findable two" }),
    await newCustomer(own, { name: "Findable three" }),
  ];
  await own.rows("UPDATE customers SET is_vendor = 1 WHERE id = ?", vendor.id);
  await deleteCustomer(own, deleted.id);
  await deleteCustomer(own, vendor.id);
  expect(await search(own, "Findable")).toEqual([kept.name]);
  expect(await search(own, "Fi")).toEqual([kept.name]);
  const indexed = await own.rows(
    "SELECT rowid FROM customers_search WHERE customers_search MATCH 'findable'",
  );
  expect(indexed).toEqual([{ rowid: Number(kept.id) }]);
});
