import { Router } from "#contract/operation.ts";
import { customerExample } from "../examples.ts";
import { Customer, CustomerParams, CustomerSettingsPatch } from "../schema.ts";
import { renderCustomer } from "../snapshot.ts";
import { updateCustomerSettings } from "./vendor.ts";

export const customerSettingsRoutes = new Router("Settings: Customers").add(
  {
    id: "updateCustomerSettings",
    method: "patch",
    path: "/settings/:company/customers/:id",
    summary: "Mark a customer as a vendor",
    description: "A customer who is a vendor too stays as one when the customer is deleted.",
    scope: "settings:write",
    params: CustomerParams,
    body: CustomerSettingsPatch,
    result: Customer,
    problems: ["no_accepted_fields"],
    example: { body: { is_vendor: true }, result: { ...customerExample, is_vendor: true } },
    render: renderCustomer,
  },
  updateCustomerSettings,
);
