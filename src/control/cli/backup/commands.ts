import { defineCommand } from "citty";
import { Failure, printable } from "../failure.ts";
import { jsonOption, platformOptions, print } from "../request.ts";
import { companyDatabase, controlDatabase, reading } from "./database/databases.ts";
import type { Dumped } from "./dump/dump.ts";
import { nameOf } from "./file/header.ts";
import { writeBackup, writeDump } from "./file/write-files.ts";

type RestoreArguments = {
  file: string;
  as?: string | undefined;
  into?: string | undefined;
  "continue-after"?: string | undefined;
  json: boolean;
};

const file = {
  type: "positional",
  description: "Where it is written; nothing may be there",
  required: true,
} as const;

export const exportCompany = defineCommand({
  meta: { name: "export", description: "Write one company's database as SQL that plain sqlite3 reads" },
  args: {
    slug: { type: "positional", description: "The company's slug", required: true },
    file,
    json: jsonOption,
  },
  async run({ args }) {
    const { source, address } = await companyDatabase(args.slug);
    const dumped = await reading(address, (stream) => writeDump(stream, args.file));
    tell(
      args,
      { source, file: args.file, ...dumped },
      `${nameOf(source)} is in ${args.file}: ${summary(dumped)}`,
    );
  },
});

export const backup = defineCommand({
  meta: { name: "backup", description: "Write one company's database, or the control database, as a backup" },
  args: {
    slug: { type: "positional", description: "The company's slug; not with --control", required: true },
    file: { ...file, required: false },
    control: { type: "boolean", description: "The control database in place of a company's", default: false },
    json: jsonOption,
  },
  async run({ args }) {
    const target = args.control ? args.slug : args.file;
    if (target === undefined) throw new Failure("FILE is missing");
    if (args.control && args.file !== undefined) throw new Failure("--control takes FILE and no company");
    const { source, address } = args.control ? controlDatabase() : await companyDatabase(args.slug);
    const dumped = await reading(address, (stream) => writeBackup(stream, target, source));
    tell(args, { source, file: target, ...dumped }, `${nameOf(source)} is in ${target}: ${summary(dumped)}`);
  },
});

export const verify = defineCommand({
  meta: { name: "verify", description: "Load a backup into a scratch database and check that it is whole" },
  args: {
    file: { type: "positional", description: "A file that company-ops backup wrote", required: true },
    json: jsonOption,
  },
  async run({ args }) {
    // The rules of a header take a while to load.
    const { verifyBackup } = await import("./verify.ts");
    const { header, problems } = await verifyBackup(args.file);
    const { source, taken_at: takenAt, release } = header;
    const ok = problems.length === 0;
    const found = ok ? `sound, ${summary(header)}` : problems.map(printable).join("\n  ");
    tell(
      args,
      { ok, problems, file: args.file, ...header },
      `${printable(`${args.file}: ${nameOf(source)} of ${takenAt}, release ${release}`)}: ${found}`,
    );
    process.exitCode = ok ? 0 : 1;
  },
});

export const restore = defineCommand({
  meta: {
    name: "restore",
    description: "Open a new company from a backup, or put it in the place of its own; it stays suspended",
  },
  args: {
    ...platformOptions,
    file: { type: "positional", description: "A file that company-ops backup wrote", required: true },
    as: { type: "string", description: "The slug of the new company" },
    into: { type: "string", description: "The suspended company that the backup is of; not with --as" },
    control: {
      type: "boolean",
      description: "Fill an empty control database; afterwards company-ops adopt",
      default: false,
    },
    "continue-after": {
      type: "string",
      description:
        "The last number of a series that was issued, such as INV/26-27/00412; several with commas",
    },
    json: jsonOption,
  },
  async run({ args }) {
    const { as: fresh, into } = args;
    if (args.control) return restoreOperator(args);
    const slug = fresh ?? into;
    if (slug === undefined || (fresh !== undefined && into !== undefined))
      throw new Failure(
        "Give either --as and the slug of a new company, or --into and that of its own, or --control",
      );
    // It knows every feature's secrets, and they take a second to load.
    const { replaceCompany, restoreCompany, soundBackup } = await import("./restore.ts");
    const sound = await soundBackup(args.file, args["continue-after"]);
    const restored =
      into === undefined ? await restoreCompany(args, sound, slug) : await replaceCompany(args, sound, slug);
    const { header, ...rest } = restored;
    if (args.json) return print({ ...rest, ...header });
    process.stdout.write(
      `${slug} is ${nameOf(header.source)} of ${header.taken_at}: ${summary(header)}, self-check sound; suspended\n`,
    );
    if ("admin_key" in restored) print(restored.admin_key);
    else process.stdout.write(`What it was is kept as its spare database ${restored.replaced}\n`);
  },
});

async function restoreOperator(args: RestoreArguments): Promise<void> {
  if ([args.as, args.into, args["continue-after"]].some((given) => given !== undefined))
    throw new Failure("--control takes no --as, --into or --continue-after");
  const { restoreControl } = await import("./restore-control.ts");
  const header = await restoreControl(args.file);
  const line = `The control database is that of ${header.taken_at}: ${summary(header)}; run company-ops migrate, and company-ops adopt for what came since`;
  tell(args, { restored: "control", ...header }, line);
}

function tell(args: { json: boolean }, result: object, line: string): void {
  if (args.json) print(result);
  else process.stdout.write(`${line}\n`);
}

function summary({ tables }: Dumped): string {
  const counts = Object.values(tables).map(({ rows }) => rows);
  return `${counts.reduce((sum, rows) => sum + rows, 0)} rows of ${counts.length} tables`;
}
