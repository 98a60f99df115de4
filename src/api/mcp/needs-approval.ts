import type { AgentOperation } from "./operations.ts";

// What is made or changed here stays with the company's staff.
const QUIET_TAGS = new Set([
  "Projects",
  "Settings: Employees",
  "Settings: Instructor fields",
  "Settings: Lead sources",
  "Settings: Units and categories",
  "Settings: Work-item statuses",
]);
const QUIET = new Set([
  "createCustomer",
  "createDepartment",
  "createLocation",
  "createOverride",
  "previewNotificationTemplate",
  "putSchedule",
  "updateDepartment",
  "updateInbound",
  "updateLocation",
]);

/**
 * Whether an agent shows its user a call first: of each write, but those known to move no money, give no access, send
 * nothing to people, leave prices, stock, who is paid and who receives data as they are, and take nothing away for good.
 */
export function needsApproval({ id, method, tag }: Pick<AgentOperation, "id" | "method" | "tag">): boolean {
  if (method === "get") return false;
  return method === "delete" || !(QUIET_TAGS.has(tag) || QUIET.has(id));
}
