import { type SQL, sql } from "drizzle-orm";
import { workItems } from "#tables/projects";

/** The statement that unassigns the work of these employees; `employees` selects their ids as texts, `record`. */
export function unassign(employees: SQL): SQL {
  return sql`UPDATE ${workItems} SET assigned_to = NULL
    WHERE ${workItems.assignedTo} IN (SELECT CAST(record AS INTEGER) FROM (${employees}))`;
}
