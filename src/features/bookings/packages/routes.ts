import { Router } from "#api/operations/operation.ts";
import { packageExample } from "./examples.ts";
import { listPackages } from "./list-by-customer.ts";
import { BookingPackage, PackageQuery } from "./schema.ts";
import { renderPackage } from "./snapshot.ts";

export const packageRoutes = new Router("Bookings").all(
  {
    id: "listPackages",
    method: "get",
    path: "/schools/:company/packages",
    summary: "List a customer's packages",
    description:
      "By e-mail address or phone, newest first. A bought package is found by what its buyer typed. Only for secret keys: the caller must know that the address is its visitor's.",
    scope: "bookings.read",
    query: PackageQuery,
    result: BookingPackage,
    envelope: { success: "packages" },
    example: { query: { customer_email: "mia@example.com" }, result: packageExample },
    render: renderPackage,
  },
  listPackages,
);
