import type { UniqueViolations } from "#platform/write/unique-violations.ts";

/** What the unique indexes of these tables mean to a client. */
export const uniqueViolations: UniqueViolations = {
  "locations.operation": null,
  "instructor_fields.operation": null,
  "instructor_fields.key": "duplicate_name",
  "instructors.operation": null,
  "instructor_overrides.operation": null,
  "booking_packages.operation": null,
  "booking_packages.order_id, booking_packages.line": null,
  "booking_packages.booking_id": null,
  "bookings.id": null,
  "bookings.operation": null,
  "bookings.booking_number": null,
  "bookings.public_token": null,
  "calendar_feeds.operation": null,
  "calendar_feeds.token_hash": null,
};
