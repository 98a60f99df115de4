import { Router } from "#api/operations/operation.ts";
import type { ControlCtx } from "../context.ts";
import { getBacklog, renderBacklog } from "./backlog.ts";
import { backlogExample } from "./examples.ts";
import { Backlog, BacklogQuery } from "./schema.ts";

/** What waits: for the operator. */
export const backlogRoutes = new Router<ControlCtx>("Platform", "control").add(
  {
    id: "getBacklog",
    method: "get",
    path: "/platform/backlog",
    summary: "Show what waits to be done",
    description:
      "In the queues, for the hourly jobs, and of each company's messages. One call asks the databases of 20 companies, by their slugs; `after` goes on, and `company` asks one alone.",
    scope: "platform",
    query: BacklogQuery,
    result: Backlog,
    problems: ["company_not_found"],
    example: { query: {}, result: backlogExample },
    render: renderBacklog,
  },
  getBacklog,
);
