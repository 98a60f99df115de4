import { defineCommand } from "citty";
import { atOnceOf, atOnceOption } from "../at-once.ts";
import { Failure } from "../failure.ts";
import { jsonOption, platformOptions } from "../shared-options.ts";
import { backUp } from "./back-up.ts";
import { databaseNamed, ownControlDatabase, ownDatabase } from "./database/databases.ts";
import { nameOf } from "./file/header.ts";
import { report, reportMissing, summary } from "./said.ts";

/** `company-ops backup`: of one company, of the control database, or of all. */
export const backup = defineCommand({
  meta: {
    description: "Write a company's database and files, the control database, or all of them, as backups",
  },
  args: {
    ...platformOptions,
    slug: {
      type: "positional",
      description: "The company's slug; not with --control or --all",
      required: false,
    },
    file: {
      type: "positional",
      description: "Where it is written; nothing may be there. With --all a folder, which may be new",
      required: false,
    },
    control: { type: "boolean", description: "The control database in place of a company's", default: false },
    database: {
      type: "string",
      description: "A company's database by its name, such as a spare or replaced one; in place of SLUG",
    },
    all: {
      type: "boolean",
      description:
        "The control database and every company that is not closed; what is in the folder is left out",
      default: false,
    },
    "without-files": { type: "boolean", description: "The database alone, without the API", default: false },
    "at-once": atOnceOption,
    json: jsonOption,
  },
  async run({ args }) {
    const { slug, file, control, all, database } = args;
    const ways = [control, all, database !== undefined].filter(Boolean).length;
    if (ways > 1) throw new Failure("Give one of --control, --database and --all");
    const target = ways === 1 ? slug : file;
    if (slug === undefined || target === undefined) throw new Failure(missingSaid({ ...args, ways }));
    if (ways === 1 && file !== undefined)
      throw new Failure("--control, --database and --all take FILE and no company");
    if (all) {
      const atOnce = atOnceOf(args["at-once"]);
      const { backUpAll } = await import("./back-up-all.ts");
      return backUpAll(args, target, atOnce);
    }
    const found = control
      ? await ownControlDatabase()
      : await (database === undefined ? ownDatabase(slug) : databaseNamed(database));
    const backedUp = await backUp({ ...args, isOwn: ways === 0 }, found, target);
    const { source } = found;
    report(
      args,
      { source, file: target, ...backedUp },
      `${nameOf(source)} is in ${target}: ${summary(backedUp)}`,
    );
    if (backedUp.unrecorded !== undefined)
      process.stderr.write(`The service did not record this backup: ${backedUp.unrecorded}\n`);
    if (backedUp.missing.length > 0) {
      reportMissing(backedUp.missing, "is not stored: a record names it, and the backup is without it");
      process.exitCode = 1;
    }
  },
});

function missingSaid({ all, ways }: { all: boolean; ways: number }): string {
  if (all) return "The folder is missing";
  return ways === 1 ? "FILE is missing" : "SLUG or FILE is missing";
}
