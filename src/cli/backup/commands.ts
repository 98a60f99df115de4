import { defineCommand } from "citty";
import { counted } from "#shared/text/counted.ts";
import { Failure, printable } from "../failure.ts";
import { print } from "../request.ts";
import { jsonOption, lostOption, platformOptions } from "../shared-options.ts";
import { ownDatabase } from "./database/databases.ts";
import { atOneMoment } from "./database/one-moment.ts";
import { nameOf } from "./file/header.ts";
import { SQLITE_NEEDED, writeDump } from "./file/write-files.ts";
import type { RestoredFiles } from "./files/restore-files.ts";
import { filesSaid, report, reportMissing, rowsSaid, summary } from "./said.ts";

type RestoreArguments = { file: string; json: boolean } & Partial<Record<NotOfControl, string | undefined>>;
type NotOfControl = "as" | "into" | "lost" | "continue-after";

export const exportCompany = defineCommand({
  meta: { description: "Write one company's database as SQL that plain sqlite3 reads" },
  args: {
    slug: { type: "positional", description: "The company's slug", required: true },
    file: { type: "positional", description: "Where it is written; nothing may be there", required: true },
    json: jsonOption,
  },
  async run({ args }) {
    const { source, address } = await ownDatabase(args.slug);
    const dumped = await atOneMoment(address, (stream) => writeDump(stream, args.file));
    report(
      args,
      { source, file: args.file, sqlite_needed: SQLITE_NEEDED, ...dumped },
      `${nameOf(source)} is in ${args.file}: ${summary(dumped)}; for sqlite3 ${SQLITE_NEEDED} or newer`,
    );
  },
});

export const restore = defineCommand({
  meta: {
    description: "Open a new company from a backup, or put it in the place of its own; it stays suspended",
  },
  args: {
    ...platformOptions,
    file: { type: "positional", description: "A file that company-ops backup wrote", required: true },
    as: { type: "string", description: "The slug of the new company" },
    into: { type: "string", description: "The suspended company that the backup is of; not with --as" },
    lost: lostOption,
    control: {
      type: "boolean",
      description: "Fill an empty control database; afterwards run `company-ops adopt`",
      default: false,
    },
    "files-of": {
      type: "string",
      description: "A company that has the records: put back only those of its files that are gone",
    },
    "continue-after": {
      type: "string",
      description:
        "The last number of a series that was issued, such as INV/26-27/00412; several with commas",
    },
    json: jsonOption,
  },
  async run({ args }) {
    const { as: fresh, into, "files-of": filesOf } = args;
    if (args.control) return restoreOperator(args);
    if (args.lost !== undefined && into === undefined) throw new Failure("--lost is for --into");
    const [slug, ...others] = [fresh, into, filesOf].filter((one) => one !== undefined);
    if (slug === undefined || others.length > 0)
      throw new Failure(
        "Give either --as and the slug of a new company, or --into and that of its own, or --files-of, or --control",
      );
    // It knows every feature's secrets, and they take a second to load.
    const { replaceCompany, restoreCompany, soundBackup } = await import("./restore.ts");
    const sound = await soundBackup(args.file, args["continue-after"]);
    if (filesOf !== undefined) {
      const { restoreFiles } = await import("./files/restore-files.ts");
      const files = await restoreFiles(args, args.file, filesOf);
      return reportFiles(
        args,
        { slug: filesOf, files },
        `${filesOf} has its files: ${filesSaid(files)}`,
        files,
      );
    }
    const restored =
      into === undefined
        ? await restoreCompany(args, sound, slug)
        : await replaceCompany(args, sound, slug, args.lost);
    for (const line of sound.closed) process.stderr.write(`${line}, by the service too\n`);
    const { header, ...rest } = restored;
    const { files, erased, unread } = restored;
    if (unread !== undefined)
      process.stderr.write(
        `${printable(`The database of ${nameOf(header.source)} did not report what was erased since, so the restore uses what the control database recorded: ${unread}`)}\n`,
      );
    const line = `${slug} is ${nameOf(header.source)} of ${header.taken_at}: ${rowsSaid(header)}, ${filesSaid(files)}, ${counted(erased, "erasure")} done again, self-check sound; suspended`;
    reportFiles(args, { ...header, ...rest }, line, files);
    if (args.json) return;
    if ("admin_key" in restored) print(restored.admin_key);
    else process.stdout.write(`What it was is kept as its spare database ${restored.replaced}\n`);
  },
});

async function restoreOperator(args: RestoreArguments): Promise<void> {
  if ([args.as, args.into, args.lost, args["continue-after"]].some((given) => given !== undefined))
    throw new Failure("--control takes no --as, --into, --lost or --continue-after");
  const { restoreControl } = await import("./restore-control.ts");
  const header = await restoreControl(args.file);
  const line = `The control database is that of ${header.taken_at}: ${summary(header)}; run \`company-ops migrate\`, and \`company-ops adopt\` for what came since`;
  report(args, { restored: "control", ...header }, line);
}

/** Reports a restore. One whose files are missing has not succeeded wholly. */
function reportFiles(
  args: { json: boolean },
  result: object,
  line: string,
  { missing }: RestoredFiles,
): void {
  report(args, result, line);
  reportMissing(missing, "is not restored: it was gone when the backup was made");
  if (missing.length > 0) process.exitCode = 1;
}
