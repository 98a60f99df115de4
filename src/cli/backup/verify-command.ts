import { defineCommand } from "citty";
import { atOnceOf, atOnceOption } from "../at-once.ts";
import { printable } from "../failure.ts";
import { againAfterOption, sinceOf } from "../fleet.ts";
import { jsonOption } from "../shared-options.ts";
import { nameOf } from "./file/header.ts";
import { report, reportMissing, summary } from "./said.ts";

/** `company-ops verify`: of one backup, or of a folder of them. */
export const verify = defineCommand({
  meta: { description: "Load a backup into a scratch database and check that it is whole" },
  args: {
    file: {
      type: "positional",
      description: "A file that company-ops backup wrote; with --all the folder",
      required: true,
    },
    all: {
      type: "boolean",
      description: "Every backup in the folder; those that a run before found sound are left out",
      default: false,
    },
    "again-after": againAfterOption,
    "at-once": atOnceOption,
    json: jsonOption,
  },
  async run({ args }) {
    if (args.all) {
      const { verifyAll } = await import("./verify-all.ts");
      return verifyAll(args, args.file, atOnceOf(args["at-once"]), sinceOf(args["again-after"]));
    }
    // The rules of a header take a while to load.
    const { unopened, verifyBackup } = await import("./verify.ts");
    const { header, missing, ...verified } = await verifyBackup(args.file, unopened);
    const problems = [...verified.problems, ...(verified.found ?? [])];
    const { source, taken_at: takenAt, release } = header;
    const ok = problems.length === 0;
    const found = ok ? `sound, ${summary(header)}` : problems.map(printable).join("\n  ");
    report(
      args,
      { ok, problems, missing, file: args.file, ...header },
      `${printable(`${args.file}: ${nameOf(source)} of ${takenAt}, release ${release}`)}: ${found}`,
    );
    reportMissing(missing, "was gone when the backup was made");
    process.exitCode = ok ? 0 : 1;
  },
});
