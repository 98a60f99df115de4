import { defineCommand } from "citty";
import { counted } from "#shared/text/counted.ts";
import { atOnceOf, atOnceOption } from "./at-once.ts";
import { Failure } from "./failure.ts";
import { openCompanies, overFleet, refuseFailed, sinceOf } from "./fleet.ts";
import { progressOf } from "./progress.ts";
import { callAgain, print } from "./request.ts";
import { jsonOption, platformOptions } from "./shared-options.ts";

type Renewed = { slug: string; token: "renewed" | "shared" };

/** `company-ops database-token renew`: a run after one that was killed leaves out what that renewed. */
const renew = defineCommand({
  meta: { description: "Give the database of one company, or of all, a new token (Turso)" },
  args: {
    ...platformOptions,
    slug: { type: "positional", description: "The company's slug; not with --all", required: false },
    all: { type: "boolean", description: "Every company that is not closed", default: false },
    "again-after": {
      type: "string",
      description: "With --all: leave out those that were renewed in the last so many hours",
      default: "24",
    },
    "at-once": atOnceOption,
    json: jsonOption,
  },
  async run({ args }) {
    if (args.all === (args.slug !== undefined)) throw new Failure("Give SLUG or --all");
    const atOnce = atOnceOf(args["at-once"]);
    const since = sinceOf(args["again-after"]);
    const progress = progressOf(args.json);
    const companies = args.all ? await openCompanies(args) : [];
    const old = companies.filter(({ token_renewed_at: at }) => at === null || Date.parse(at) <= since);
    const names = args.slug === undefined ? old.map(({ slug }) => slug) : [args.slug];
    const leftOut = companies.length - old.length;
    if (leftOut > 0)
      progress.say(`${leftOut} were renewed in the last ${args["again-after"]} hours: left out`);
    const title = `${counted(names.length, "company", "companies")} to renew`;
    const { done, failed } = await overFleet(names, { atOnce, progress, title }, async (slug) => {
      const path = `/platform/companies/${encodeURIComponent(slug)}/database-token`;
      const result = await callAgain<Renewed>(args, "POST", path);
      return { result, line: result.token === "renewed" ? "renewed" : "has SQLD_DATABASE_TOKEN: `migrate`" };
    });
    const renewed = done.filter(({ token }) => token === "renewed").length;
    progress.end(`${renewed} renewed`);
    if (args.json) print({ renewed: done, failed, left_out: leftOut });
    refuseFailed(failed, names.length);
  },
});

/** `company-ops database-token`. */
export const databaseToken = defineCommand({
  meta: { description: "Renew the tokens that open companies' databases" },
  subCommands: { renew },
});
