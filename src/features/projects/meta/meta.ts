import { sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx } from "#core/context.ts";
import { readAll } from "#core/sql/read-records.ts";
import { record } from "#core/sql/record.ts";
import { containsText } from "#core/sql/text-search.ts";
import { searchText } from "#shared/fields/text.ts";
import { employees } from "#tables/company";
import { workItemStatuses } from "#tables/projects";
import { type StatusRow, status } from "../statuses/statuses.ts";
import {
  ITERATION_TYPES,
  MILESTONE_STATUSES,
  RANKS,
  STATE_CATEGORIES,
  WORK_ITEM_TYPES,
} from "../vocabulary.ts";

const words = <Slug extends string>(slugs: readonly [Slug, ...Slug[]]) =>
  z.array(z.object({ slug: z.enum(slugs), name: z.string() }));
const ranked = z
  .array(z.object({ slug: z.enum(RANKS), name: z.string(), rank: z.int().describe("1 weighs most.") }))
  .meta({ description: "Rank 1 is the most urgent." });

const Meta = z
  .object({
    work_item_types: words(WORK_ITEM_TYPES),
    priorities: ranked,
    severities: ranked,
    state_categories: words(STATE_CATEGORIES),
    statuses: z
      .array(status.schema.pick({ slug: true, name: true, category: true, position: true, is_default: true }))
      .meta({ description: "The company's own statuses, in the order of its board." }),
    milestone_statuses: words(MILESTONE_STATUSES),
    iteration_types: z.array(z.enum(ITERATION_TYPES)),
  })
  .meta({ id: "ProjectsMeta" });

const AssigneeQuery = z.object({
  q: searchText.optional().describe("Part of the name or the employee code; case is ignored."),
});

/** Whom work items can be assigned to. */
const assignee = record(
  employees,
  {
    id: z.int(),
    name: z.string(),
    employee_code: z.string().nullable().describe("The company's own number for the employee."),
    designation: z.string().nullable().describe("The position in the company."),
  },
  "Assignee",
);

export const projectMetaRoutes = new Router("Projects", "/")
  .get({ getProjectsMeta: listStatuses }, "/meta", {
    summary: "Read the types, priorities and statuses of work items",
    description: "Types, priorities, state categories, and the company's own statuses by their `slug`.",
    record: { schema: Meta, render: renderMeta },
  })
  .all({ listAssignees: (ctx, _params, { q }) => readAll(ctx, selectAssignees(q)) }, "/assignees", {
    summary: "List the employees who can be assigned",
    description: "The active employees, by name.",
    query: AssigneeQuery,
    record: assignee,
  });

/** The statuses of the company, in the order of its board. */
function listStatuses(ctx: CallCtx): Promise<StatusRow[]> {
  return readAll(ctx, status.select(sql`true ORDER BY ${workItemStatuses.position}, ${workItemStatuses.id}`));
}

/** The words that work items are described with, and the statuses. */
function renderMeta(statuses: readonly StatusRow[]) {
  const ranks = named(RANKS).map((word, index) => ({ ...word, rank: index + 1 }));
  return {
    work_item_types: named(WORK_ITEM_TYPES),
    priorities: ranks,
    severities: ranks,
    state_categories: named(STATE_CATEGORIES),
    statuses: statuses.map(status.render),
    milestone_statuses: named(MILESTONE_STATUSES),
    iteration_types: [...ITERATION_TYPES],
  };
}

/** `user_story` as `User story`. */
function named<Slug extends string>(slugs: readonly Slug[]): { slug: Slug; name: string }[] {
  return slugs.map((slug) => {
    const text = slug.replaceAll("_", " ");
    return { slug, name: text.charAt(0).toUpperCase() + text.slice(1) };
  });
}

/** The active employees by name, all of them: what a picker shows. */
function selectAssignees(q: string | undefined) {
  const { name, employeeCode, id, isActive } = employees;
  const matching =
    q === undefined
      ? sql``
      : sql`AND ${containsText(q, [sql`${name} || ' ' || coalesce(${employeeCode}, '')`])}`;
  return assignee.select(sql`${isActive} = 1 ${matching} ORDER BY ${name}, ${id}`);
}
