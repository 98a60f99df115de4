import { Router } from "#api/operations/operation.ts";
import { getDiary, renderDiary } from "./get.ts";
import { Diary, DiaryQuery } from "./schema.ts";

export const diaryRoutes = new Router("Settings: Bookings by staff", "/diary").get({ getDiary }, "/", {
  summary: "Read the diary",
  description:
    "For up to 14 days: the working times, the leave and the bookings of each instructor. Cancelled and expired bookings are left out.",
  query: DiaryQuery,
  record: { schema: Diary, render: renderDiary },
  problems: ["not_found"],
});
