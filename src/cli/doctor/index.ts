import { defineCommand } from "citty";
import {
  addressOf,
  bearer,
  jsonOption,
  listPlatform,
  type PlatformArguments,
  platformOptions,
  print,
} from "../request.ts";
import { checkCompany } from "./company.ts";
import { lineOf, Report } from "./report.ts";
import { checkService } from "./service.ts";
import { checkSqld, refuseUnusable } from "./sqld.ts";

const options = {
  ...platformOptions,
  "sqld-url": {
    type: "string",
    description: "SQLD_DATABASE_URL, or that variable",
    valueHint: "https://{namespace}.db.example.com/",
  },
  "sqld-token": { type: "string", description: "SQLD_DATABASE_TOKEN, or that variable" },
  "sqld-admin-url": { type: "string", description: "SQLD_ADMIN_URL, or that variable" },
  "sqld-admin-key": { type: "string", description: "SQLD_ADMIN_TOKEN, or that variable" },
  "sqld-active-namespaces": { type: "string", description: "sqld's --max-active-namespaces", default: "100" },
  json: jsonOption,
} as const;

/** `company-ops doctor`: a line for each check, and exit code 1 when one of them found something wrong. */
export const doctor = defineCommand({
  meta: {
    name: "doctor",
    description: "Check a running service end to end with a throw-away company, and say what is wrong",
  },
  args: options,
  async run({ args }) {
    const { env } = process;
    const sqld = {
      url: args["sqld-url"] ?? env.SQLD_DATABASE_URL,
      token: args["sqld-token"] ?? env.SQLD_DATABASE_TOKEN,
      adminUrl: args["sqld-admin-url"] ?? env.SQLD_ADMIN_URL,
      adminKey: args["sqld-admin-key"] ?? env.SQLD_ADMIN_TOKEN,
      activeNamespaces: Number(args["sqld-active-namespaces"]),
    };
    refuseUnusable(sqld);
    const report = new Report((finding) => {
      if (!args.json) process.stdout.write(`${lineOf(finding)}\n`);
    });
    const interrupted = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => interrupted.abort());
    const base = addressOf(args);
    const target = { base, headers: bearer(args), signal: interrupted.signal };
    const ready = await checkService(report, target);
    if (ready) await checkCompany(report, target);
    const companies = ready && sqld.url !== undefined ? await countOpen(args) : undefined;
    await checkSqld(report, sqld, companies);
    if (args.json) print({ ok: report.isSound, findings: report.findings });
    process.exitCode = report.isSound ? 0 : 1;
  },
});

/** How many companies have a database that is used. */
async function countOpen(args: PlatformArguments): Promise<number> {
  const companies = await listPlatform<{ status: string }>(args, "/platform/companies");
  return companies.filter(({ status }) => status !== "closed").length;
}
