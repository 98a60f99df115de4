import { Router } from "#contract/operation.ts";
import { fieldExample } from "./examples.ts";
import { listInstructorFields } from "./list.ts";
import { InstructorField } from "./schema.ts";
import { renderField } from "./snapshot.ts";

export const fieldRoutes = new Router("Bookings").all(
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
    example: { result: fieldExample },
    cacheControl: "private, max-age=60",
    render: renderField,
  },
  listInstructorFields,
);
