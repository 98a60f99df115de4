import { Router } from "#contract/operation.ts";
import { Deleted, RecordParams, renderDeleted } from "#shared/fields/ids.ts";
import { createCustomer } from "./create.ts";
import { deleteCustomer } from "./delete.ts";
import { customerExample, newCustomerExample } from "./examples.ts";
import { getCustomer } from "./get.ts";
import { listCustomers } from "./list.ts";
import { markVendor } from "./mark-vendor.ts";
import { customerResource } from "./resource.ts";
import {
  Customer,
  CustomerCreate,
  CustomerPatch,
  CustomerQuery,
  VendorPatch,
  WrittenCustomer,
} from "./schema.ts";
import { renderCustomer, renderWritten } from "./snapshot.ts";
import { updateCustomer } from "./update.ts";

export const customerRoutes = new Router("Customers")
  .list(
    {
      id: "listCustomers",
      method: "get",
      path: "/customers/:company",
      summary: "List customers",
      description: "Newest first. `q` looks in name, e-mail address and phone number.",
      scope: "customers:read",
      query: CustomerQuery,
      result: Customer,
      example: { result: customerExample },
      render: renderCustomer,
      sort: (row) => [row.id],
    },
    listCustomers,
  )
  .add(
    {
      id: "createCustomer",
      method: "post",
      changes: [customerResource],
      path: "/customers/:company",
      summary: "Create a customer",
      description: "Opens its account under Sundry Debtors in the same step.",
      scope: "customers:write",
      body: CustomerCreate,
      result: WrittenCustomer,
      status: 201,
      problems: [
        "invalid_state",
        "invalid_pincode",
        "invalid_gstin",
        "gstin_state_mismatch",
        "duplicate_customer",
      ],
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
      description: "With what is outstanding on its live invoices.",
      scope: "customers:read",
      params: RecordParams,
      result: Customer,
      example: { result: customerExample },
      render: renderCustomer,
    },
    getCustomer,
  )
  .add(
    {
      id: "updateCustomer",
      method: "patch",
      changes: [customerResource],
      path: "/customers/:company/:id",
      summary: "Change a customer",
      description: "Only the fields sent change. Renaming renames the ledger account too.",
      scope: "customers:write",
      params: RecordParams,
      body: CustomerPatch,
      result: WrittenCustomer,
      problems: [
        "no_accepted_fields",
        "invalid_state",
        "invalid_pincode",
        "invalid_gstin",
        "gstin_state_mismatch",
        "duplicate_customer",
      ],
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
      changes: [customerResource],
      path: "/customers/:company/:id",
      summary: "Delete a customer",
      description:
        "Refused while invoices, payments or posted ledger entries refer to it. A customer who is a vendor too stays as a vendor.",
      scope: "customers:write",
      params: RecordParams,
      result: Deleted,
      problems: ["customer_has_dependents"],
      example: { result: { id: "42", deleted: true } },
      render: renderDeleted,
    },
    deleteCustomer,
  );

export const customerSettingsRoutes = new Router("Settings: Customers").add(
  {
    id: "updateCustomerSettings",
    method: "patch",
    changes: [customerResource],
    path: "/settings/:company/customers/:id",
    summary: "Mark a customer as a vendor",
    description: "A customer who is a vendor too stays as one when the customer is deleted.",
    scope: "settings:write",
    params: RecordParams,
    body: VendorPatch,
    result: Customer,
    problems: ["no_accepted_fields"],
    example: { body: { is_vendor: true }, result: { ...customerExample, is_vendor: true } },
    render: renderCustomer,
  },
  markVendor,
);
