import { Router } from "#contract/operation.ts";
import { Deleted, RecordParams, renderDeleted } from "#shared/fields/ids.ts";

import { createAccount, deleteAccount, getAccount, updateAccount } from "./accounts.ts";
import { listAccounts } from "./list.ts";
import { Account, AccountCreate, AccountPatch } from "./schema.ts";
import { renderAccount } from "./snapshot.ts";

const accountExample = {
  id: "2",
  code: "1020",
  name: "Bank",
  type: "asset" as const,
  parent_id: null,
  customer_id: null,
  is_active: true,
  debit: 300,
  credit: 0,
  balance: 300,
};
const pettyCash = { ...accountExample, id: "70", code: "1011", name: "Petty Cash", debit: 0, balance: 0 };

export const accountRoutes = new Router("Ledger").list(
  {
    id: "listAccounts",
    method: "get",
    path: "/ledger/:company/accounts",
    summary: "List the accounts with their balances",
    scope: "ledger:read",
    result: Account,
    example: { result: accountExample },
    render: renderAccount,
    sort: (row) => [row.id],
  },
  listAccounts,
);

export const accountSettingsRoutes = new Router("Settings: Accounts")
  .list(
    {
      id: "listAccountSettings",
      method: "get",
      path: "/settings/:company/accounts",
      summary: "List the chart of accounts",
      scope: "settings:read",
      result: Account,
      example: { result: accountExample },
      render: renderAccount,
      sort: (row) => [row.id],
    },
    listAccounts,
  )
  .add(
    {
      id: "createAccount",
      method: "post",
      changes: [],
      path: "/settings/:company/accounts",
      summary: "Add an account",
      scope: "settings:write",
      body: AccountCreate,
      result: Account,
      status: 201,
      problems: ["conflict", "duplicate_name"],
      example: { body: { code: "1011", name: "Petty Cash", type: "asset" }, result: pettyCash },
      render: renderAccount,
    },
    createAccount,
  )
  .add(
    {
      id: "getAccount",
      method: "get",
      path: "/settings/:company/accounts/:id",
      summary: "Read an account",
      scope: "settings:read",
      params: RecordParams,
      result: Account,
      example: { result: pettyCash },
      render: renderAccount,
    },
    getAccount,
  )
  .add(
    {
      id: "updateAccount",
      method: "patch",
      changes: [],
      path: "/settings/:company/accounts/:id",
      summary: "Rename an account or switch it off",
      scope: "settings:write",
      params: RecordParams,
      body: AccountPatch,
      result: Account,
      problems: ["no_accepted_fields", "duplicate_name", "in_use"],
      example: { body: { is_active: false }, result: { ...pettyCash, is_active: false } },
      render: renderAccount,
    },
    updateAccount,
  )
  .add(
    {
      id: "deleteAccount",
      method: "delete",
      changes: [],
      path: "/settings/:company/accounts/:id",
      summary: "Remove an account",
      description: "Refused for the service's own accounts, a customer's, and any that was ever used.",
      scope: "settings:write",
      params: RecordParams,
      result: Deleted,
      problems: ["in_use"],
      example: { result: { id: "70", deleted: true } },
      render: renderDeleted,
    },
    deleteAccount,
  );
