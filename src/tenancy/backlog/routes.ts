import { ControlRouter } from "../control-router.ts";
import { getBacklog, renderBacklog } from "./backlog.ts";
import { Backlog, BacklogQuery } from "./schema.ts";

const backlogExample = {
  queues: [
    { name: "messages" as const, jobs: 3, oldest_at: "2026-11-21T09:29:58.000Z" },
    { name: "housekeeping" as const, jobs: 0, oldest_at: null },
    { name: "deliveries" as const, jobs: 0, oldest_at: null },
    { name: "clock" as const, jobs: null, oldest_at: null },
    { name: "notifications" as const, jobs: 0, oldest_at: null },
  ],
  housekeeping: { due: 0, oldest_at: null },
  companies: [
    {
      slug: "meera",
      reachable: true,
      waiting: 412,
      overdue: 400,
      oldest_at: "2026-11-21T09:20:00.000Z",
      oldest_seconds: 600,
      providers: [
        {
          id: "2",
          channel: "email" as const,
          kind: "resend",
          paused_at: null,
          resting_until: "2026-11-21T09:31:00.000Z",
          waiting: 412,
        },
      ],
    },
  ],
  next_after: null,
};

/** What waits: for the operator. */
export const backlogRoutes = new ControlRouter("Platform", "/backlog").get({ getBacklog }, "/", {
  summary: "Show what waits to be done",
  description:
    "In the queues, for the hourly jobs, and of each company's messages. One call asks the databases of 20 companies, by their slugs; `after` goes on, and `company` asks one alone.",
  query: BacklogQuery,
  record: { schema: Backlog, render: renderBacklog },
  problems: ["company_not_found"],
  example: { query: {}, result: backlogExample },
});
