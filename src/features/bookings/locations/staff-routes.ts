import { Router } from "#contract/operation.ts";
import { DeletedNumber, RecordParams, renderDeletedNumber } from "#shared/fields/ids.ts";
import { locationExample, newLocationExample } from "./examples.ts";
import {
  createLocation,
  deleteLocation,
  getLocation,
  listLocationSettings,
  updateLocation,
} from "./locations.ts";
import { LocationCreate, LocationPatch, LocationSettings } from "./schema.ts";
import { renderLocation } from "./snapshot.ts";

export const locationStaffRoutes = new Router("Settings: Booking rules and locations")
  .list(
    {
      id: "listLocationSettings",
      method: "get",
      path: "/settings/:company/locations",
      summary: "List all locations",
      scope: "settings:read",
      result: LocationSettings,
      example: { result: locationExample },
      render: renderLocation,
      sort: (row) => [row.id],
    },
    listLocationSettings,
  )
  .add(
    {
      id: "createLocation",
      method: "post",
      changes: [],
      path: "/settings/:company/locations",
      summary: "Add a location",
      scope: "settings:write",
      body: LocationCreate,
      result: LocationSettings,
      status: 201,
      example: { body: newLocationExample, result: locationExample },
      render: renderLocation,
    },
    createLocation,
  )
  .add(
    {
      id: "getLocation",
      method: "get",
      path: "/settings/:company/locations/:id",
      summary: "Read a location",
      scope: "settings:read",
      params: RecordParams,
      result: LocationSettings,
      example: { result: locationExample },
      render: renderLocation,
    },
    getLocation,
  )
  .add(
    {
      id: "updateLocation",
      method: "patch",
      changes: [],
      path: "/settings/:company/locations/:id",
      summary: "Change a location",
      scope: "settings:write",
      params: RecordParams,
      body: LocationPatch,
      result: LocationSettings,
      problems: ["no_accepted_fields"],
      example: { body: { is_active: false }, result: { ...locationExample, is_active: false } },
      render: renderLocation,
    },
    updateLocation,
  )
  .add(
    {
      id: "deleteLocation",
      method: "delete",
      changes: [],
      path: "/settings/:company/locations/:id",
      summary: "Remove a location",
      scope: "settings:write",
      params: RecordParams,
      result: DeletedNumber,
      example: { result: { id: 3, deleted: true } },
      render: renderDeletedNumber,
    },
    deleteLocation,
  );
