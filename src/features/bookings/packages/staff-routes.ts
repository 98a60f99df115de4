import { Router } from "#api/operations/operation.ts";
import { DeletedNumber, RecordParams, renderDeletedNumber } from "#shared/fields/ids.ts";
import { newPackageExample, packageExample } from "./examples.ts";
import { createPackage, deletePackage, getPackage, listPackageSettings, updatePackage } from "./packages.ts";
import { BookingPackage, PackageCreate, PackagePatch } from "./schema.ts";
import { renderPackage } from "./snapshot.ts";

export const packageStaffRoutes = new Router("Settings: Booking packages")
  .list(
    {
      id: "listPackageSettings",
      method: "get",
      path: "/settings/:company/booking-packages",
      summary: "List all booking packages",
      scope: "settings:read",
      result: BookingPackage,
      example: { result: packageExample },
      render: renderPackage,
      sort: (row) => [row.id],
    },
    listPackageSettings,
  )
  .add(
    {
      id: "createPackage",
      method: "post",
      changes: ["package", "booking"],
      path: "/settings/:company/booking-packages",
      summary: "Add a package",
      description: "Prepaid lessons of one customer.",
      scope: "settings:write",
      body: PackageCreate,
      result: BookingPackage,
      status: 201,
      problems: ["invalid_product"],
      example: { body: newPackageExample, result: packageExample },
      render: renderPackage,
    },
    createPackage,
  )
  .add(
    {
      id: "getPackage",
      method: "get",
      path: "/settings/:company/booking-packages/:id",
      summary: "Read a package",
      scope: "settings:read",
      params: RecordParams,
      result: BookingPackage,
      example: { result: packageExample },
      render: renderPackage,
    },
    getPackage,
  )
  .add(
    {
      id: "updatePackage",
      method: "patch",
      changes: ["package", "booking"],
      path: "/settings/:company/booking-packages/:id",
      summary: "Change a package",
      scope: "settings:write",
      params: RecordParams,
      body: PackagePatch,
      result: BookingPackage,
      problems: ["no_accepted_fields", "package_exhausted"],
      example: {
        body: { sessions_total: 6 },
        result: { ...packageExample, ...{ sessions_total: 6, sessions_remaining: 5 } },
      },
      render: renderPackage,
    },
    updatePackage,
  )
  .add(
    {
      id: "deletePackage",
      method: "delete",
      changes: ["package", "booking"],
      path: "/settings/:company/booking-packages/:id",
      summary: "Remove a package",
      description: "Refused if a booking has used it.",
      scope: "settings:write",
      params: RecordParams,
      result: DeletedNumber,
      problems: ["in_use"],
      example: { result: { id: 1, deleted: true } },
      render: renderDeletedNumber,
    },
    deletePackage,
  );
