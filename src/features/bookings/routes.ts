import { Router } from "#contract/operation.ts";
import {
  availabilityExample,
  courseExample,
  datesExample,
  fieldExample,
  instructorExample,
  settingsExample,
} from "./examples.ts";
import { getAvailability, listDates, renderAvailability, renderDates } from "./get-availability.ts";
import { getBookingSettings, renderSettings } from "./get-settings.ts";
import { listCourses, renderCourse } from "./list-courses.ts";
import { listInstructorFields, renderField } from "./list-instructor-fields.ts";
import { listInstructors, renderInstructor } from "./list-instructors.ts";
import { listLocations } from "./list-locations.ts";
import {
  Availability,
  AvailabilityQuery,
  Course,
  CourseQuery,
  Dates,
  DatesQuery,
  Instructor,
  InstructorField,
  InstructorQuery,
  Location,
} from "./schema.ts";
import { BookingSettings } from "./settings/schema.ts";
import { renderLocation } from "./snapshot.ts";

const CACHED = "private, max-age=60";

export const bookingRoutes = new Router("Bookings")
  .all(
    {
      id: "listLocations",
      method: "get",
      path: "/schools/:company/locations",
      summary: "List locations",
      description: "The active ones, by name.",
      scope: "bookings.read",
      keys: "any",
      result: Location,
      envelope: { success: "locations" },
      status: 200,
      problems: [],
      example: {
        result: {
          id: 3,
          name: "Parramatta test centre",
          type: "test_centre",
          city: "Parramatta",
          state: "NSW",
          postcode: "2150",
          latitude: -33.815,
          longitude: 151.0011,
          operating_hours: "Mon-Fri 08:30-16:30",
        },
      },
      cacheControl: CACHED,
      render: renderLocation,
    },
    listLocations,
  )
  .all(
    {
      id: "listInstructors",
      method: "get",
      path: "/schools/:company/instructors",
      summary: "List instructors",
      description:
        "The active ones that fit all parameters. Of `lat` with `lng`, `postcode`, `suburb` and `location_id` only the first given counts; by place the nearest come first, else by name.",
      scope: "bookings.read",
      keys: "any",
      query: InstructorQuery,
      result: Instructor,
      envelope: { success: "instructors" },
      status: 200,
      problems: ["validation_failed", "not_found"],
      example: { result: instructorExample },
      render: renderInstructor,
    },
    listInstructors,
  )
  .all(
    {
      id: "listCourses",
      method: "get",
      path: "/schools/:company/courses",
      summary: "List courses",
      description: "Active products with a length and a transmission, by name.",
      scope: "bookings.read",
      keys: "any",
      query: CourseQuery,
      result: Course,
      envelope: { success: "courses" },
      status: 200,
      problems: ["validation_failed"],
      example: { result: courseExample },
      cacheControl: CACHED,
      render: renderCourse,
    },
    listCourses,
  )
  .add(
    {
      id: "getAvailability",
      method: "get",
      path: "/schools/:company/availability",
      summary: "Read an instructor's free slots on a date",
      description: "Always 200 for a known instructor: where nothing is free, `reason` tells why.",
      scope: "bookings.read",
      keys: "any",
      query: AvailabilityQuery,
      result: Availability,
      envelope: "flat",
      status: 200,
      problems: ["validation_failed", "not_found"],
      example: {
        query: { instructor_id: "2", date: "2026-12-01" },
        result: availabilityExample,
      },
      render: renderAvailability,
    },
    getAvailability,
  )
  .add(
    {
      id: "listAvailableDates",
      method: "get",
      path: "/schools/:company/availability/dates",
      summary: "Tell which dates of a month have a free slot",
      scope: "bookings.read",
      keys: "any",
      query: DatesQuery,
      result: Dates,
      envelope: "flat",
      status: 200,
      problems: ["validation_failed", "not_found"],
      example: {
        query: { instructor_id: "2", from: "2026-12-01", to: "2026-12-02" },
        result: datesExample,
      },
      render: renderDates,
    },
    listDates,
  )
  .all(
    {
      id: "listInstructorFields",
      method: "get",
      path: "/schools/:company/instructor-fields",
      summary: "List the custom fields of instructors",
      description: "Their keys are used as `cf[key]` where instructors are listed.",
      scope: "bookings.read",
      keys: "any",
      result: InstructorField,
      envelope: { success: "fields" },
      status: 200,
      problems: [],
      example: { result: fieldExample },
      cacheControl: CACHED,
      render: renderField,
    },
    listInstructorFields,
  )
  .add(
    {
      id: "getSchoolSettings",
      method: "get",
      path: "/schools/:company/settings",
      summary: "Read the booking rules",
      scope: "bookings.read",
      keys: "any",
      result: BookingSettings,
      envelope: { success: "settings" },
      status: 200,
      problems: [],
      example: { result: settingsExample },
      render: renderSettings,
    },
    getBookingSettings,
  );
