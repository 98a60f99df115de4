import { Router } from "#api/operations/operation.ts";
import { courseExample } from "./examples.ts";
import { listCourses } from "./list.ts";
import { Course, CourseQuery } from "./schema.ts";
import { renderCourse } from "./snapshot.ts";

export const courseRoutes = new Router("Bookings").all(
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
    example: { result: courseExample },
    cacheControl: "private, max-age=60",
    render: renderCourse,
  },
  listCourses,
);
