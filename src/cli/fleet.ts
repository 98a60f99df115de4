import type * as z from "zod";
import { withConcurrency } from "#core/jobs.ts";
import { HOUR_MS } from "#shared/time/durations.ts";
import type { company } from "#tenancy/companies/record.ts";
import { isThrowAway } from "#tenancy/companies/throw-away.ts";
import { Failure, lineOf } from "./failure.ts";
import type { Progress } from "./progress.ts";
import { listPlatform, type PlatformArguments } from "./request.ts";

/** A company as the service lists it. */
export type Listed = z.output<typeof company.schema>;
export type Failed = { slug: string; error: string };
/** What one company's work gave, and how it is said in a line. */
export type Done<Result> = { result: Result; line: string };

/** The companies that are neither closed nor the doctor's, by their slugs. */
export async function openCompanies(args: PlatformArguments): Promise<Listed[]> {
  const companies = await listPlatform<Listed>(args, "/platform/companies");
  return companies
    .filter(({ slug, status }) => status !== "closed" && !isThrowAway(slug))
    .sort((one, other) => (one.slug < other.slug ? -1 : 1));
}

/** The option of commands that leave out what was found sound of late. */
export const againAfterOption = {
  type: "string",
  description: "With --all: leave out those that were found sound in the last so many hours",
  default: "12",
} as const;

/** The instant (epoch ms) so many hours ago, as `--again-after` says. Throws a Failure where it is no such number. */
export function sinceOf(hours: string): number {
  const number = Number(hours);
  if (hours.trim() !== "" && number >= 0) return Date.now() - number * HOUR_MS;
  throw new Failure("--again-after must be a number of hours, such as 12, or 0 for none");
}

/** Does the work for each name, so many at a time. One that fails stops no other: it is given with its reason. */
export async function overFleet<Result>(
  names: readonly string[],
  { atOnce, progress, title }: { atOnce: number; progress: Progress; title: string },
  work: (name: string) => Promise<Done<Result>>,
): Promise<{ done: Result[]; failed: Failed[] }> {
  const done: Result[] = [];
  const failed: Failed[] = [];
  progress.begin(names.length, title);
  await withConcurrency(names, atOnce, async (name) => {
    try {
      const { result, line } = await work(name);
      done.push(result);
      progress.advance(`${name}: ${line}`);
    } catch (error) {
      failed.push({ slug: name, error: lineOf(error) });
      progress.advance(`${name}: failed: ${lineOf(error)}`);
    }
  });
  return { done, failed };
}

/** Throws a Failure that names those that failed, if there are some. */
export function refuseFailed(failed: readonly Failed[], all: number): void {
  if (failed.length > 0) throw new Failure(failedSaid(failed, all));
}

/** Those that failed of so many, with the reason of each or of several. */
export function failedSaid(failed: readonly Failed[], all: number): string {
  const reasons = [...Map.groupBy(failed, ({ error }) => error)];
  const named = reasons
    .map(([error, some]) => `${some.map(({ slug }) => slug).join(", ")} (${error})`)
    .join("; ");
  return `${failed.length} of ${all} failed, run it again: ${named}`;
}
