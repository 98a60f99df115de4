import { Router } from "#api/operations/operation.ts";
import { createCustomer, customerIds } from "./create.ts";
import { deleteCustomer } from "./delete.ts";
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

export const customerRoutes = new Router("Customers", "/", { record: customer })
  .list({ listCustomers }, "/", {
    summary: "List customers",
    description: "Newest first.",
    query: CustomerQuery,
  })
  .create({ createCustomer }, "/", {
    changes: ["customer"],
    summary: "Create a customer",
    description: "Also opens the customer's account under Sundry Debtors.",
    body: CustomerCreate,
    takesBlanks: true,
    record: { schema: WrittenCustomer, render: renderWritten },
    externalIds: { ...customerIds, change: { by: updateCustomer, of: CustomerPatch } },
    problems: WRITE_PROBLEMS,
  })
  .get({ getCustomer }, "/:id", {
    summary: "Read a customer",
    description: "With the amount outstanding on live invoices.",
  })
  .patch({ updateCustomer }, "/:id", {
    changes: ["customer"],
    summary: "Change a customer",
    description: "Only the fields you send change. A new name also renames the ledger account.",
    body: CustomerPatch,
    takesBlanks: true,
    record: { schema: WrittenCustomer, render: renderWritten },
    problems: WRITE_PROBLEMS,
  })
  .delete({ deleteCustomer }, "/:id", {
    changes: ["customer"],
    summary: "Delete a customer",
    description:
      "Refused while invoices, payments or posted ledger entries refer to it. A customer who is also a vendor stays as a vendor.",
    problems: ["customer_has_dependents"],
  });

export const customerSettingsRoutes = new Router("Settings: Customers", "/customers").patch(
  { updateCustomerSettings: markVendor },
  "/:id",
  {
    changes: ["customer"],
    summary: "Mark a customer as a vendor",
    description: "A customer who is also a vendor stays as a vendor when the customer is deleted.",
    body: VendorPatch,
    record: customer,
  },
);
