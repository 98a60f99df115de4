import { defineCommand } from "citty";
import { counted } from "#shared/text/counted.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { atOnceOf, atOnceOption } from "./at-once.ts";
import { Failure } from "./failure.ts";
import { againAfterOption, type Listed, openCompanies, overFleet, refuseFailed, sinceOf } from "./fleet.ts";
import { progressOf } from "./progress.ts";
import { callAgain, type PlatformArguments, print } from "./request.ts";
import { jsonOption, platformOptions } from "./shared-options.ts";

type Broken = { invariant: string; rows: number; ids: string[] };
type SelfCheck = { slug: string; sound: boolean; broken: Broken[]; open: Broken[]; skipped: string[] };

// It reads the whole database.
const TIMEOUT_MS = 10 * MINUTE_MS;

/** `company-ops check`: the self-check. A run after one that was killed leaves out what that found sound. */
export const check = defineCommand({
  meta: {
    description: "Look for records that break a rule, of one company or of all, and record the outcome",
  },
  args: {
    ...platformOptions,
    slug: { type: "positional", description: "The company's slug; not with --all", required: false },
    all: { type: "boolean", description: "Every company that is not closed", default: false },
    "again-after": againAfterOption,
    "at-once": atOnceOption,
    json: jsonOption,
  },
  async run({ args }) {
    if (args.all === (args.slug !== undefined)) throw new Failure("Give SLUG or --all");
    const atOnce = atOnceOf(args["at-once"]);
    const progress = progressOf(args.json);
    const companies = args.all ? await openCompanies(args) : [];
    const soundSince = sinceOf(args["again-after"]);
    const slugs = companies.filter((one) => !isSoundSince(one, soundSince)).map(({ slug }) => slug);
    const names = args.slug === undefined ? slugs : [args.slug];
    const leftOut = companies.length - slugs.length;
    if (leftOut > 0)
      progress.say(`${leftOut} were found sound in the last ${args["again-after"]} hours: left out`);
    const title = `${counted(names.length, "company", "companies")} to check`;
    const { done, failed } = await overFleet(names, { atOnce, progress, title }, (slug) =>
      checkOne(args, slug),
    );
    const broken = done.filter(({ sound }) => !sound);
    progress.end(
      broken.length === 0 ? `${done.length} sound` : `${broken.length} of ${done.length} are broken`,
    );
    if (args.json) print({ checked: done, failed, left_out: leftOut });
    if (broken.length > 0) process.exitCode = 1;
    refuseFailed(failed, names.length);
  },
});

async function checkOne(args: PlatformArguments, slug: string) {
  const path = `/platform/self-check/${encodeURIComponent(slug)}`;
  const result = await callAgain<SelfCheck>({ ...args, timeoutMs: TIMEOUT_MS }, "POST", path);
  const said = result.broken.map(({ invariant, rows }) => `${invariant} (${rows})`).join("; ");
  const skipped = result.skipped.length === 0 ? "" : `, without ${result.skipped.join(", ")}`;
  return { result, line: result.sound ? `sound${skipped}` : `broken: ${said}${skipped}` };
}

function isSoundSince({ checked_at: at, broken_rules: broken }: Listed, since: number): boolean {
  return at !== null && broken === 0 && Date.parse(at) > since;
}
