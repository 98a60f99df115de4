import { fieldProblem, Problem } from "#shared/problem.ts";
import type { OfferBasis } from "../availability/offer-basis.ts";
import type { CourseRow } from "../courses/snapshot.ts";
import type { BookingCreate } from "./schema.ts";

/**
 * The course that is booked, with the length and transmission of its lesson; a package has those of its first lesson.
 * Throws 422 `invalid_product` for what is no lesson.
 */
export function requireLesson(course: CourseRow | null, lesson: CourseRow | null): CourseRow {
  if (course?.is_package === 0) return course;
  if (course === null || lesson === null || course.sessions === null)
    throw fieldProblem("product_id", "not_a_lesson", "names no active lesson course", "invalid_product");
  return { ...course, duration_minutes: lesson.duration_minutes, transmission: lesson.transmission };
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

/** The lesson's length in minutes: the course's, since its price is for that. Throws 422 for any other. */
export function durationOf(body: Length, course: CourseRow): number {
  const { duration_minutes: length } = course;
  if (body.duration_minutes != null && body.duration_minutes !== length) {
    const message = `The course takes ${length} minutes`;
    throw new Problem("duration_mismatch", { message, members: { duration_minutes: length } });
  }
  if (body.end_time != null && body.end_time - body.start_time !== length) {
    const message = `The course takes ${length} minutes`;
    throw new Problem("end_time_mismatch", { message, members: { duration_minutes: length } });
  }
  return length;
}
