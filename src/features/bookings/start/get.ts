import type { Ctx } from "#core/context.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { asList } from "#core/sql/read-records.ts";
import { newVisitor } from "#core/visitor-token.ts";
import { read } from "#core/write/replay.ts";
import { type CourseRow, course, selectCoursesBy } from "../courses/courses.ts";
import {
  instructorQueries,
  instructorsOf,
  type ListedInstructor,
  renderInstructor,
} from "../instructors/list.ts";
import type { InstructorQuery } from "../instructors/schema.ts";
import { type LocationRow, location, selectActiveLocations } from "../locations/locations.ts";
import { type PageSettings, pageSettings, selectSettings } from "../settings/settings.ts";

type Started = {
  settings: PageSettings;
  courses: CourseRow[];
  locations: LocationRow[];
  instructors: ListedInstructor[];
  visitor: string;
};

/** All that a booking page begins with, out of the one read that its instructors need anyway. */
export async function startBooking(ctx: Ctx, _params: unknown, query: InstructorQuery): Promise<Started> {
  const [[instructors, basis, settings, courses, locations], visitor] = await Promise.all([
    read(ctx, [
      ...instructorQueries(ctx, query),
      jsonQuery(ctx, selectSettings(ctx)),
      jsonQuery(ctx, asList(selectCoursesBy())),
      jsonQuery(ctx, asList(selectActiveLocations())),
    ]),
    newVisitor(ctx),
  ]);
  const [rules] = parseRows(settings);
  if (rules === undefined) throw new Error("A company has booking rules");
  return {
    settings: rules,
    courses: parseRows(courses).flat(),
    locations: parseRows(locations).flat(),
    instructors: await instructorsOf(ctx, query, instructors, basis),
    visitor,
  };
}

export function renderStart({ settings, courses, locations, instructors, visitor }: Started, ctx: Ctx) {
  const rules = pageSettings.render(settings, ctx);
  return {
    success: true as const,
    settings: rules,
    courses: courses.map((one) => course.render(one, ctx)),
    locations: locations.map(location.render),
    instructors: instructors.map(renderInstructor),
    timezone: rules.timezone,
    visitor,
    turnstile_site_key: settings.turnstile_mode === "off" ? null : settings.turnstile_site_key,
  };
}
