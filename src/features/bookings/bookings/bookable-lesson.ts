import type { Actor } from "#core/context.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import type { OfferBasis } from "../availability/offer-basis.ts";
import type { CourseRow } from "../courses/courses.ts";
import { duration as bounds } from "../schema.ts";
import type { BookingCreate } from "./schema.ts";

/**
 * The course that is booked, with the length and transmission of its lesson; a package has those of its first lesson.
 * Throws 422 `invalid_product` for what is no lesson.
 */
export function requireLesson(course: CourseRow | null, lesson: CourseRow | null): CourseRow {
  if (course?.is_package === 0) return course;
  if (course === null || lesson === null || course.sessions === null)
    throw fieldProblem("product_id", "not_a_lesson", "names no active lesson course", "invalid_product");
  const { duration_minutes, has_own_length, transmission } = lesson;
  return { ...course, duration_minutes, has_own_length, transmission };
}

/** Throws 422 `invalid_instructor` for an instructor who is not there, or does not teach the course's transmission. */
export function requireInstructor({ instructor }: OfferBasis, transmission: string | null): void {
  if (instructor === null)
    throw fieldProblem("instructor_id", "not_found", "names no active instructor", "invalid_instructor");
  if (instructor.transmission === "both" || instructor.transmission === transmission) return;
  throw fieldProblem(
    "instructor_id",
    "transmission_mismatch",
    `teaches ${instructor.transmission} only`,
    "invalid_instructor",
  );
}

type Length = Pick<BookingCreate, "start_time" | "end_time" | "duration_minutes">;

/**
 * The lesson's length in minutes: as sent, by itself or by an end, else the course's own, else the default slot length.
 * Throws 422 for an end that does not fit it.
 */
export function durationOf(body: Length, course: CourseRow): number {
  const { duration_minutes: sent, end_time: end } = body;
  const length = sent ?? lengthUntil(body) ?? course.duration_minutes;
  if (end == null || end - body.start_time === length) return length;
  const message = `The lesson takes ${length} minutes`;
  throw new Problem("end_time_mismatch", { message, members: { duration_minutes: length } });
}

/** A browser makes a lesson without a length of its own so many default slots long at most: its price is one. */
const MOST_SLOTS = 2;

/** Throws 422 `duration_not_offered` where a visitor asks for more time than the course's price is for. */
export function refuseLong(
  { type }: Actor,
  { duration_minutes: sent }: Partial<Length>,
  course: CourseRow,
  length: number,
  slotLength: number,
): void {
  const own = course.has_own_length === 1;
  const most = own ? course.duration_minutes : MOST_SLOTS * slotLength;
  if (length <= most || (!own && type !== "publishable")) return;
  const [field, words] =
    sent != null ? ["duration_minutes", "must be at most"] : ["end_time", "must be within"];
  const message = `${words} ${most} minutes${sent != null ? "" : " of start_time"}`;
  throw fieldProblem(
    field,
    "too_big",
    `${message}: for a longer lesson, ask the school`,
    "duration_not_offered",
  );
}

/** How long a lesson with this end takes; undefined where no lesson is so long or so short. */
function lengthUntil({ start_time: start, end_time: end }: Length): number | undefined {
  if (end == null) return undefined;
  const length = end - start;
  return length >= bounds.min && length <= bounds.max ? length : undefined;
}
