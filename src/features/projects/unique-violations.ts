import type { UniqueViolations } from "#platform/write/unique-violations.ts";

/** What the unique indexes of these tables mean to a client. */
export const uniqueViolations: UniqueViolations = {
  "work_item_statuses.slug": "conflict",
  "work_item_statuses.name": "duplicate_name",
  "work_item_statuses.is_default": null,
  "projects.operation": null,
  "projects.code": "duplicate_project_code",
  "iterations.operation": null,
  "iterations.project_id, iterations.id": null,
  iterations_sibling: "duplicate_name",
  "areas.operation": null,
  "areas.project_id, areas.id": null,
  areas_sibling: "duplicate_name",
  "milestones.operation": null,
  "sprints.operation": null,
  "sprints.project_id, sprints.id": null,
  "sprints.project_id": "active_sprint_exists",
  "work_items.operation": null,
  "work_items.project_id, work_items.number": null,
  "work_items.project_id, work_items.id": null,
  "work_item_comments.operation": null,
};
