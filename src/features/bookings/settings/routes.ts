import { Router } from "#contract/operation.ts";
import { settingsExample } from "../examples.ts";
import { getBookingSettings, renderSettings } from "../get-settings.ts";
import { DeletedRecord, LocationCreate, LocationPatch, LocationSettings, RecordParams } from "../schema.ts";
import { renderLocation } from "../snapshot.ts";
import { updateBookingSettings } from "./booking-settings.ts";
import {
  createLocation,
  deleteLocation,
  getLocation,
  listLocationSettings,
  updateLocation,
} from "./locations.ts";
import { BookingSettings, BookingSettingsPatch } from "./schema.ts";

const newLocationExample = {
  name: "Parramatta test centre",
  type: "test_centre",
  city: "Parramatta",
  state: "NSW",
  postcode: "2150",
  latitude: -33.815,
  longitude: 151.0011,
};
const locationExample = {
  ...newLocationExample,
  id: 3,
  operating_hours: null,
  is_active: true,
  created_at: "2026-11-21T09:30:00.000Z",
  updated_at: "2026-11-21T09:30:00.000Z",
};

export const bookingSettingsRoutes = new Router("Settings: Booking rules and locations")
  .list(
    {
      id: "listLocationSettings",
      method: "get",
      path: "/settings/:company/locations",
      summary: "List all locations",
      scope: "settings:read",
      result: LocationSettings,
      envelope: "data",
      status: 200,
      problems: [],
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
      path: "/settings/:company/locations",
      summary: "Add a location",
      scope: "settings:write",
      body: LocationCreate,
      result: LocationSettings,
      envelope: "data",
      status: 201,
      problems: ["validation_failed"],
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
      envelope: "data",
      status: 200,
      problems: ["not_found"],
      example: { result: locationExample },
      render: renderLocation,
    },
    getLocation,
  )
  .add(
    {
      id: "updateLocation",
      method: "patch",
      path: "/settings/:company/locations/:id",
      summary: "Change a location",
      scope: "settings:write",
      params: RecordParams,
      body: LocationPatch,
      result: LocationSettings,
      envelope: "data",
      status: 200,
      problems: ["not_found", "validation_failed", "no_accepted_fields"],
      example: { body: { is_active: false }, result: { ...locationExample, is_active: false } },
      render: renderLocation,
    },
    updateLocation,
  )
  .add(
    {
      id: "deleteLocation",
      method: "delete",
      path: "/settings/:company/locations/:id",
      summary: "Remove a location",
      scope: "settings:write",
      params: RecordParams,
      result: DeletedRecord,
      envelope: "data",
      status: 200,
      problems: ["not_found"],
      example: { result: { id: 3, deleted: true } },
      render: (row) => ({ id: row.id, deleted: true as const }),
    },
    deleteLocation,
  )
  .add(
    {
      id: "getBookingSettings",
      method: "get",
      path: "/settings/:company/booking-settings",
      summary: "Read the booking rules",
      scope: "settings:read",
      result: BookingSettings,
      envelope: "data",
      status: 200,
      problems: [],
      example: { result: settingsExample },
      render: renderSettings,
    },
    getBookingSettings,
  )
  .add(
    {
      id: "updateBookingSettings",
      method: "patch",
      path: "/settings/:company/booking-settings",
      summary: "Change the booking rules",
      description: "Bookings that were made stay as they are.",
      scope: "settings:write",
      body: BookingSettingsPatch,
      result: BookingSettings,
      envelope: "data",
      status: 200,
      problems: ["validation_failed", "no_accepted_fields"],
      example: { body: { buffer_minutes: 30 }, result: { ...settingsExample, buffer_minutes: 30 } },
      render: renderSettings,
    },
    updateBookingSettings,
  );
