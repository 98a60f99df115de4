import { Router } from "#contract/operation.ts";
import { renderAccount } from "../account-snapshot.ts";
import { accountExample } from "../examples.ts";
import { listAccounts } from "../list-accounts.ts";
import { Account, AccountCreate, AccountParams, AccountPatch, DeletedAccount } from "../schema.ts";
import { createAccount, deleteAccount, getAccount, updateAccount } from "./accounts.ts";

const pettyCash = { ...accountExample, id: "70", code: "1011", name: "Petty Cash", debit: 0, balance: 0 };

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
      params: AccountParams,
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
      path: "/settings/:company/accounts/:id",
      summary: "Rename an account or switch it off",
      scope: "settings:write",
      params: AccountParams,
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
      path: "/settings/:company/accounts/:id",
      summary: "Remove an account",
      description: "Refused for the service's own accounts, a customer's, and any that was ever used.",
      scope: "settings:write",
      params: AccountParams,
      result: DeletedAccount,
      problems: ["in_use"],
      example: { result: { id: "70", deleted: true } },
      render: (row) => ({ id: String(row.id), deleted: true as const }),
    },
    deleteAccount,
  );
