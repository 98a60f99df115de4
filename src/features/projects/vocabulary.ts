// The words of the field, as Azure Boards and Jira have them; checked by the database too.

export const WORK_ITEM_TYPES = [
  "epic",
  "feature",
  "user_story",
  "task",
  "bug",
  "issue",
  "test_case",
] as const;
export const STATE_CATEGORIES = ["proposed", "in_progress", "resolved", "completed", "removed"] as const;
/** Of priority and severity, the most urgent first. */
export const RANKS = ["critical", "high", "medium", "low"] as const;
export const ITERATION_TYPES = ["release", "sprint", "week"] as const;
export const MILESTONE_STATUSES = ["pending", "in_progress", "completed", "overdue"] as const;
export const SPRINT_STATUSES = ["planned", "active", "completed"] as const;

export type StateCategory = (typeof STATE_CATEGORIES)[number];
