import { ControlRouter } from "../control-router.ts";
import { getBacklog, renderBacklog } from "./backlog.ts";
import { Backlog, BacklogQuery } from "./schema.ts";

/** What waits: for the operator. */
export const backlogRoutes = new ControlRouter("Platform", "/backlog").get({ getBacklog }, "/", {
  summary: "Show what waits to be done",
  description:
    "In the queues, for the hourly jobs, and of each company's messages. One call asks the databases of 20 companies, by their slugs; `after` goes on, and `company` asks one alone.",
  query: BacklogQuery,
  record: { schema: Backlog, render: renderBacklog },
  problems: ["company_not_found"],
});
