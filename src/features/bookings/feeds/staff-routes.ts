import { Router } from "#api/operations/operation.ts";
import { Deleted, RecordParams, renderDeleted } from "#shared/fields/ids.ts";
import { feedExample, issuedFeedExample, newFeedExample } from "./examples.ts";
import { createFeed, deleteFeed, listFeeds, renderFeed, renderIssuedFeed, rotateFeed } from "./feeds.ts";
import { Feed, FeedCreate, IssuedFeed } from "./schema.ts";

const PATH = "/settings/:company/calendar-feeds";

export const feedStaffRoutes = new Router("Settings: Calendar feeds")
  .list(
    {
      id: "listCalendarFeeds",
      method: "get",
      path: PATH,
      summary: "List calendar feeds",
      scope: "settings:read",
      result: Feed,
      example: { result: feedExample },
      render: renderFeed,
      sort: (row) => [row.id],
    },
    listFeeds,
  )
  .add(
    {
      id: "createCalendarFeed",
      method: "post",
      changes: [],
      path: PATH,
      summary: "Add a calendar feed",
      description:
        "Calendars subscribe to a feed: an iCalendar file with the lessons of one instructor or of the school. It has lessons from 30 days ago up to the advance window, at most 2,000. Only this answer and that of a rotation show the `url`. A company can have at most 20 feeds. The key also needs `settings:read` or `diary:read`.",
      scope: "settings:write",
      body: FeedCreate,
      result: IssuedFeed,
      status: 201,
      problems: ["limit_reached", "invalid_instructor"],
      example: { body: newFeedExample, result: issuedFeedExample },
      render: renderIssuedFeed,
    },
    createFeed,
  )
  .add(
    {
      id: "rotateCalendarFeed",
      method: "post",
      changes: [],
      path: `${PATH}/:id/rotate`,
      summary: "Give a calendar feed a new address",
      description:
        "The old address stops working at once. The key also needs `settings:read` or `diary:read`.",
      scope: "settings:write",
      params: RecordParams,
      result: IssuedFeed,
      example: { result: issuedFeedExample },
      render: renderIssuedFeed,
    },
    rotateFeed,
  )
  .add(
    {
      id: "deleteCalendarFeed",
      method: "delete",
      changes: [],
      path: `${PATH}/:id`,
      summary: "Remove a calendar feed",
      description: "Its address stops working at once.",
      scope: "settings:write",
      params: RecordParams,
      result: Deleted,
      example: { result: { id: "1", deleted: true } },
      render: renderDeleted,
    },
    deleteFeed,
  );
