import { eq } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { Ctx } from "#core/context.ts";
import { requireSettingRights } from "#core/required-scope.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { dateTime, idText, internal } from "#core/sql/fields.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { atomic, refuseIfNone } from "#core/write/atomic.ts";
import { recordVerbs } from "#core/write/collection.ts";
import { idReference, type RecordParams } from "#shared/fields/ids.ts";
import { cleanText } from "#shared/fields/text.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { calendarFeeds as feeds } from "#tables/bookings";
import { tokensOf } from "./token.ts";

const MOST = 20;

const detail = z.enum(["full", "busy"]);

const FeedCreate = z.object({
  name: cleanText({ min: 1, max: 100 }).meta({ description: "The name that calendars show." }),
  instructor_id: idReference
    .nullable()
    .optional()
    .meta({ description: "The instructor of the lessons. Without it, the lessons of the whole school." }),
  detail: detail.meta({
    description: "`full` has each customer's name and phone number, `busy` only that there is a lesson.",
  }),
});

/** A calendar that others subscribe to. */
const feed = record(
  feeds,
  {
    id: idText,
    name: z.string().describe("The name that calendars show."),
    instructor_id: z.int().nullable().describe("Null for all of them."),
    detail: detail.describe("`full` has names and phone numbers, `busy` only that there is a lesson."),
    created_at: dateTime,
    updated_at: dateTime,
    issue: internal<string>(),
    token_hash: internal<string>(),
  },
  "CalendarFeed",
);
type FeedRow = RowOf<typeof feed>;

/** The only answers that show the address: of what issued it. */
const IssuedFeed = feed.schema
  .extend({
    url: z.string().meta({
      format: "uri",
      description:
        "Calendars subscribe to this address. Any person who has it can read the feed. The API shows it only in this answer.",
    }),
  })
  .meta({ id: "IssuedCalendarFeed" });

const { list, remove } = recordVerbs({ record: feed });

export const feedStaffRoutes = new Router("Settings: Calendar feeds", "/calendar-feeds", {
  record: { schema: IssuedFeed, render: renderIssuedFeed },
})
  .list({ listCalendarFeeds: list }, "/", {
    summary: "List calendar feeds",
    record: feed,
  })
  .create({ createCalendarFeed: createFeed }, "/", {
    summary: "Add a calendar feed",
    description:
      "Calendars subscribe to a feed: an iCalendar file with the lessons of one instructor or of the school. It has lessons from 30 days ago up to the advance window, at most 2,000. Only this answer and that of a rotation show the `url`. A company can have at most 20 feeds. The key also needs `settings:read` or `diary:read`.",
    body: FeedCreate,
    problems: ["limit_reached", "invalid_instructor"],
  })
  .post({ rotateCalendarFeed: rotateFeed }, "/:id/rotate", {
    summary: "Give a calendar feed a new address",
    description: "The old address stops working at once. The key also needs `settings:read` or `diary:read`.",
  })
  .delete({ deleteCalendarFeed: remove }, "/:id", {
    summary: "Remove a calendar feed",
    description: "Its address stops working at once.",
  });

/** Makes a feed of one instructor's lessons or of the whole school's, at an address that cannot be guessed. */
async function createFeed(ctx: Ctx, _params: unknown, body: z.infer<typeof FeedCreate>): Promise<FeedRow> {
  requireSettingRights(ctx, "calendar-feeds", ["url"]);
  return atomic(
    ctx,
    [
      ctx.db.insert(feeds).values({
        operation: ctx.call.id,
        ...columnsOf(feeds, body),
        ...(await issueOf(ctx)),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      }),
    ],
    feed.select(eq(feeds.operation, ctx.call.id)),
    {
      limit_reached: () =>
        new Problem("limit_reached", {
          message: `A company has ${MOST} calendar feeds at most`,
          members: { limit: MOST },
        }),
      invalid_instructor: () =>
        fieldProblem("instructor_id", "not_found", "names no instructor", "invalid_instructor"),
    },
  );
}

/** Gives a feed a new address; the old one stops working at once. */
async function rotateFeed(ctx: Ctx, { id }: RecordParams): Promise<FeedRow> {
  requireSettingRights(ctx, "calendar-feeds", ["url"]);
  const here = eq(feeds.id, id);
  const issue = await issueOf(ctx);
  return atomic(
    ctx,
    [
      ctx.db
        .update(feeds)
        .set({ ...issue, updatedAt: ctx.now })
        .where(here),
      refuseIfNone("not_found"),
    ],
    feed.select(here),
  );
}

async function issueOf(ctx: Ctx): Promise<{ issue: string; tokenHash: string }> {
  const [current] = await tokensOf(ctx, ctx.call.id);
  if (current === undefined) throw new Error("There is no master key");
  return { issue: ctx.call.id, tokenHash: current.hash };
}

/** A feed whose address was just issued: the only answers that show it. */
async function renderIssuedFeed(row: FeedRow, ctx: Ctx) {
  const tokens = await tokensOf(ctx, row.issue);
  const token = tokens.find(({ hash }) => hash === row.token_hash)?.token;
  if (token === undefined) throw new Error(`The token of feed ${row.id} is of no master key`);
  return { ...feed.render(row), url: `${ctx.origin}/cal/${ctx.company.slug}/${token}.ics` };
}
