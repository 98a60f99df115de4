import { Router } from "#api/operations/operation.ts";
import { Deleted, RecordParams, renderDeleted } from "#shared/fields/ids.ts";
import { createCustomer } from "./create.ts";
import { deleteCustomer } from "./delete.ts";
import { customerExample, newCustomerExample } from "./examples.ts";
import { getCustomer, listCustomers } from "./read.ts";
import { customer, renderWritten, WrittenCustomer } from "./record.ts";
import { CustomerCreate, CustomerPatch, CustomerQuery, VendorPatch } from "./schema.ts";
import { markVendor, updateCustomer } from "./update.ts";

const WRITE_PROBLEMS = [
  "invalid_state",
  "invalid_pincode",
  "invalid_gstin",
  "gstin_state_mismatch",
  "duplicate_customer",
] as const;
const shown = {
  result: customer.schema,
  example: { result: customerExample },
  render: customer.render,
} as const;

export const customerRoutes = new Router("Customers")
  .list(
    {
      id: "listCustomers",
      path: "/customers/:company",
      summary: "List customers",
      description: "Newest first. `q` searches name, e-mail address and phone number.",
      scope: "customers:read",
      query: CustomerQuery,
      ...shown,
    },
    listCustomers,
  )
  .add(
    {
      id: "createCustomer",
      method: "post",
      changes: ["customer"],
      path: "/customers/:company",
      summary: "Create a customer",
      description: "Also opens the customer's account under Sundry Debtors.",
      scope: "customers:write",
      body: CustomerCreate,
      takesBlanks: true,
      result: WrittenCustomer,
      status: 201,
      problems: WRITE_PROBLEMS,
      example: { body: newCustomerExample, result: customerExample },
      render: renderWritten,
    },
    createCustomer,
  )
  .add(
    {
      id: "getCustomer",
      method: "get",
      path: "/customers/:company/:id",
      summary: "Read a customer",
      description: "With the amount outstanding on live invoices.",
      scope: "customers:read",
      params: RecordParams,
      ...shown,
    },
    getCustomer,
  )
  .add(
    {
      id: "updateCustomer",
      method: "patch",
      changes: ["customer"],
      path: "/customers/:company/:id",
      summary: "Change a customer",
      description: "Only the fields you send change. A new name also renames the ledger account.",
      scope: "customers:write",
      params: RecordParams,
      body: CustomerPatch,
      takesBlanks: true,
      result: WrittenCustomer,
      problems: ["no_accepted_fields", ...WRITE_PROBLEMS],
      example: {
        body: { name: "Meera Traders LLP" },
        result: { ...customerExample, name: "Meera Traders LLP" },
      },
      render: renderWritten,
    },
    updateCustomer,
  )
  .add(
    {
      id: "deleteCustomer",
      method: "delete",
      changes: ["customer"],
      path: "/customers/:company/:id",
      summary: "Delete a customer",
      description:
        "Refused while invoices, payments or posted ledger entries refer to it. A customer who is also a vendor stays as a vendor.",
      scope: "customers:write",
      params: RecordParams,
      result: Deleted,
      problems: ["customer_has_dependents"],
      example: { result: { id: "1", deleted: true } },
      render: renderDeleted,
    },
    deleteCustomer,
  );

export const customerSettingsRoutes = new Router("Settings: Customers").add(
  {
    id: "updateCustomerSettings",
    method: "patch",
    changes: ["customer"],
    path: "/settings/:company/customers/:id",
    summary: "Mark a customer as a vendor",
    description: "A customer who is also a vendor stays as a vendor when the customer is deleted.",
    scope: "settings:write",
    params: RecordParams,
    body: VendorPatch,
    record: customer,
    problems: ["no_accepted_fields"],
    example: { body: { is_vendor: true }, result: { ...customerExample, is_vendor: true } },
  },
  markVendor,
);
