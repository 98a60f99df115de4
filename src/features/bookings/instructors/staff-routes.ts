import { Router } from "#api/operations/operation.ts";
import { DeletedNumber, RecordParams, renderDeletedNumber } from "#shared/fields/ids.ts";
import { renderAffected, type WithAffected } from "./affected-lessons.ts";
import { instructorSettingsExample, newInstructorExample } from "./examples.ts";
import {
  createInstructor,
  deleteInstructor,
  getInstructor,
  listInstructorSettings,
  putSchedule,
  updateInstructor,
} from "./instructors.ts";
import {
  ChangedInstructor,
  InstructorCreate,
  InstructorPatch,
  InstructorSettings,
  SchedulePut,
} from "./schema.ts";
import { type InstructorRow, renderInstructorSettings } from "./snapshot.ts";

export const instructorStaffRoutes = new Router("Settings: Instructors")
  .list(
    {
      id: "listInstructorSettings",
      method: "get",
      path: "/settings/:company/instructors",
      summary: "List all instructors",
      scope: "settings:read",
      result: InstructorSettings,
      example: { result: instructorSettingsExample },
      render: renderInstructorSettings,
      sort: (row) => [row.id],
    },
    listInstructorSettings,
  )
  .add(
    {
      id: "createInstructor",
      method: "post",
      changes: [],
      path: "/settings/:company/instructors",
      summary: "Add an instructor",
      description:
        "To send `email` or `phone`, the key also needs `settings:read` or `diary:read`, because lessons are sent to them.",
      scope: "settings:write",
      body: InstructorCreate,
      result: InstructorSettings,
      status: 201,
      example: { body: newInstructorExample, result: instructorSettingsExample },
      render: renderInstructorSettings,
    },
    createInstructor,
  )
  .add(
    {
      id: "getInstructor",
      method: "get",
      path: "/settings/:company/instructors/:id",
      summary: "Read an instructor",
      scope: "settings:read",
      params: RecordParams,
      result: InstructorSettings,
      example: { result: instructorSettingsExample },
      render: renderInstructorSettings,
    },
    getInstructor,
  )
  .add(
    {
      id: "updateInstructor",
      method: "patch",
      changes: [],
      path: "/settings/:company/instructors/:id",
      summary: "Change an instructor",
      description:
        "If you switch an instructor off, the answer lists the coming lessons. They stay booked. To change `email` or `phone`, the key also needs `settings:read` or `diary:read`, because lessons are sent to them. The old address gets a notice.",
      scope: "settings:write",
      params: RecordParams,
      dryRun: true,
      body: InstructorPatch,
      result: ChangedInstructor,
      problems: ["no_accepted_fields"],
      example: {
        body: { is_active: false },
        result: { ...instructorSettingsExample, ...{ is_active: false } },
      },
      render: renderChangedInstructor,
    },
    updateInstructor,
  )
  .add(
    {
      id: "deleteInstructor",
      method: "delete",
      changes: [],
      path: "/settings/:company/instructors/:id",
      summary: "Remove an instructor",
      description: "Refused while the instructor has coming bookings.",
      scope: "settings:write",
      params: RecordParams,
      result: DeletedNumber,
      problems: ["in_use"],
      example: { result: { id: 2, deleted: true } },
      render: renderDeletedNumber,
    },
    deleteInstructor,
  )
  .add(
    {
      id: "putSchedule",
      method: "put",
      changes: [],
      path: "/settings/:company/instructors/:id/schedule",
      summary: "Set an instructor's working week",
      description:
        "Replaces the whole week. A day can have several windows. The answer lists the coming lessons outside the new week. They stay booked.",
      scope: "settings:write",
      params: RecordParams,
      dryRun: true,
      body: SchedulePut,
      result: ChangedInstructor,
      example: { body: { schedule: newInstructorExample.schedule }, result: instructorSettingsExample },
      render: renderChangedInstructor,
    },
    putSchedule,
  );

function renderChangedInstructor(row: WithAffected<InstructorRow>) {
  return { ...renderInstructorSettings(row), ...renderAffected(row) };
}
