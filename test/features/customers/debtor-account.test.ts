import { expect, test } from "vitest";
import { openSound } from "../../support/oracles.ts";
import { debtorAccounts, deleteCustomer, getCustomer, newCustomer, patchCustomer } from "../commerce.ts";

const company = await openSound({ state: "Karnataka" });

const open = { type: "asset", is_active: 1, removed: 0, parent: "1100" };

test("a customer has an account under Sundry Debtors from the start", async () => {
  const {
    id,
    ledger_account_id: accountId,
    ledger_account_name: name,
  } = await newCustomer(company, {
    name: "Opened",
  });
  expect(name).toBe("Sundry Debtors / Opened");
  expect(await debtorAccounts(company, id)).toEqual([{ ...open, name }]);
  const rows = await company.rows("SELECT id FROM accounts WHERE party_id = ?", id);
  expect(rows.map((row) => String(row.id))).toEqual([accountId]);
});

test("an account whose name is taken has the customer's id behind it", async () => {
  const [first, second] = [
    await newCustomer(company, { name: "Namesake" }),
    await newCustomer(company, { name: "Namesake" }),
  ];
  expect(first.ledger_account_name).toBe("Sundry Debtors / Namesake");
  expect(second.ledger_account_name).toBe(`Sundry Debtors / Namesake (${second.id})`);

  const third = await newCustomer(company, { name: "Third" });
  const renamed = (await patchCustomer(company, third.id, { name: "Namesake" })).body.data;
  expect(renamed.ledger_account_name).toBe(`Sundry Debtors / Namesake (${third.id})`);
});

test("a rename to the name it has leaves the account's name as it is", async () => {
  const { id } = await newCustomer(company, { name: "Steady" });
  const { data } = (await patchCustomer(company, id, { name: "Steady" })).body;
  expect(data.ledger_account_name).toBe("Sundry Debtors / Steady");
});

test("a name that already ends like another's account makes no clash", async () => {
  const { id } = await newCustomer(company, { name: "Clash" });
  const next = Number(id) + 2;
  const pretender = await newCustomer(company, { name: `Clash (${next})` });
  expect(pretender.ledger_account_name).toBe(`Sundry Debtors / Clash (${next})`);
  const third = await newCustomer(company, { name: "Clash" });
  expect(third.id).toBe(String(next));
  const names = [pretender, third].map((customer) => customer.ledger_account_name);
  expect(new Set(names).size).toBe(2);
});

test("deleting the customer removes the account, and its name is free again", async () => {
  const { id } = await newCustomer(company, { name: "Gone" });
  expect((await deleteCustomer(company, id)).status).toBe(200);
  expect(await debtorAccounts(company, id)).toEqual([
    { ...open, name: "Sundry Debtors / Gone", is_active: 0, removed: 1 },
  ]);
  const again = await newCustomer(company, { name: "Gone" });
  expect(again.ledger_account_name).toBe("Sundry Debtors / Gone");
});

test("renames at the same time leave the account with the customer's last name", async () => {
  const { id } = await newCustomer(company, { name: "Race 0" });
  for (let round = 0; round < 5; round += 1) {
    const names = Array.from({ length: 8 }, (_, index) => `Race ${round}-${index}`);
    const answers = await Promise.all(names.map((name) => patchCustomer(company, id, { name })));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    expect(answers.map(({ body }) => body.data.ledger_account_name)).toEqual(
      names.map((name) => `Sundry Debtors / ${name}`),
    );
    const { name, ledger_account_name: account } = (await getCustomer(company, id)).body.data;
    expect(account).toBe(`Sundry Debtors / ${name}`);
  }
});
