import { defineCommand } from "citty";
import { atOnceOf, atOnceOption } from "../at-once.ts";
import { openCompanies } from "../fleet.ts";
import { addressOf, bearer, print } from "../request.ts";
import { jsonOption, platformOptions } from "../shared-options.ts";
import { checkCompanies } from "./companies.ts";
import { checkCompany } from "./company.ts";
import { checkInstance } from "./instance.ts";
import { lineOf, Report } from "./report.ts";
import { checkRollout } from "./rollout.ts";
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
  all: { type: "boolean", description: "Open every company, not only some", default: false },
  "at-once": atOnceOption,
  json: jsonOption,
} as const;

/** `company-ops doctor`: a line for each check, and exit code 1 when one of them found something wrong. */
export const doctor = defineCommand({
  meta: {
    description: "Check a running service end to end: its companies, and one of its own; say what is wrong",
  },
  args: options,
  async run({ args }) {
    const { env } = process;
    const sqld = {
      url: args["sqld-url"] ?? env.SQLD_DATABASE_URL,
      controlUrl: env.CONTROL_DATABASE_URL,
      token: args["sqld-token"] ?? env.SQLD_DATABASE_TOKEN,
      adminUrl: args["sqld-admin-url"] ?? env.SQLD_ADMIN_URL,
      adminKey: args["sqld-admin-key"] ?? env.SQLD_ADMIN_TOKEN,
      activeNamespaces: Number(args["sqld-active-namespaces"]),
    };
    refuseUnusable(sqld);
    const atOnce = atOnceOf(args["at-once"]);
    const interrupted = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => interrupted.abort());
    const report = new Report((finding) => {
      if (!args.json) process.stdout.write(`${lineOf(finding)}\n`);
    }, interrupted.signal);
    const target = { base: addressOf(args), headers: bearer(args) };
    const ready = await checkService(report, target);
    const slugs = ready ? (await openCompanies(args)).map(({ slug }) => slug) : undefined;
    if (slugs !== undefined) {
      await checkRollout(report, target);
      const isWritten = await checkInstance(report, target);
      await checkCompanies(report, target, { slugs, all: args.all, atOnce, isFull: !isWritten });
      if (isWritten) await checkCompany(report, target);
    }
    await checkSqld(report, sqld, sqld.url === undefined ? undefined : slugs?.length);
    if (args.json) print({ ok: report.isSound, findings: report.findings });
    process.exitCode = report.isSound ? 0 : 1;
  },
});
