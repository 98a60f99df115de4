import { defineCommand } from "citty";
import { printable } from "./failure.ts";
import { callOnce, callPlatform, listPlatform, type PlatformArguments, print } from "./request.ts";
import { isJsonOption, jsonOption, lostOption, platformOptions } from "./shared-options.ts";

type Company = { slug: string; name: string; status: string };
type Spare = { slug: string; database: string; spare: string | null };

const slugOption = { type: "positional", description: "The company's slug", required: true } as const;
const oneCompany = { ...platformOptions, slug: slugOption, json: jsonOption } as const;

const create = defineCommand({
  meta: { description: "Open a company and show its administrator key, once" },
  args: {
    ...platformOptions,
    slug: { type: "positional", description: "Name in paths, such as acme-traders", required: true },
    name: { type: "string", description: "Legal name", required: true },
    state: { type: "string", description: "State, for India: name, letters or GST code" },
    gstin: { type: "string", description: "GSTIN" },
    country: { type: "string", description: "ISO 3166-1 alpha-2", default: "IN" },
    currency: { type: "string", description: "ISO 4217", default: "INR" },
    timezone: { type: "string", description: "IANA time zone", default: "Asia/Kolkata" },
    email: { type: "string", description: "E-mail address" },
    address: { type: "string", description: "Postal address" },
    json: isJsonOption,
  },
  async run({ args }) {
    const { slug, name, state, gstin, country, currency, timezone, email, address } = args;
    const body = { slug, name, state, gstin, country, currency, timezone, email, address };
    print(await callOnce(args, "/platform/companies", body));
  },
});

const list = defineCommand({
  meta: { description: "List the companies" },
  args: { ...platformOptions, json: jsonOption },
  async run({ args }) {
    const companies = await listPlatform<Company>(args, "/platform/companies");
    if (args.json) return print(companies);
    for (const { slug, name, status } of companies)
      process.stdout.write(`${slug.padEnd(24)}  ${status.padEnd(9)}  ${name}\n`);
  },
});

const show = defineCommand({
  meta: { description: "Show one company" },
  args: oneCompany,
  async run({ args }) {
    const company = await callPlatform<Record<string, unknown>>(args, "GET", pathOf(args.slug));
    if (args.json) return print(company);
    for (const [name, value] of Object.entries(company))
      process.stdout.write(`${name.padEnd(30)}  ${printable(String(value))}\n`);
  },
});

const suspend = defineCommand({
  meta: { description: "Refuse every call of a company, until it is resumed" },
  args: oneCompany,
  run: ({ args }) => setStatus(args, "suspended", "is suspended"),
});

const resume = defineCommand({
  meta: { description: "Let a suspended company work again" },
  args: oneCompany,
  run: ({ args }) => setStatus(args, "active", "works again"),
});

const close = defineCommand({
  meta: { description: "Suspend a company for good and revoke its keys; its database is kept" },
  args: oneCompany,
  async run({ args }) {
    const company = await callOnce<Company>(args, `${pathOf(args.slug)}/close`);
    report(args, company, "is closed: suspended, and its keys are revoked; its database is kept");
  },
});

const spareArguments = {
  ...oneCompany,
  database: { type: "positional", description: "The spare database's name", required: true },
} as const;

const useSpare = defineCommand({
  meta: { description: "Give a suspended company its spare database; its own is kept" },
  args: { ...spareArguments, lost: lostOption },
  async run({ args }) {
    const path = `${pathOf(args.slug)}/spare-database/${encodeURIComponent(args.database)}/use`;
    const { database, spare } = await callOnce<Spare>(args, path, { lost: args.lost });
    if (args.json) print({ slug: args.slug, database, spare });
    else process.stdout.write(`${args.slug} has the database ${database} now, and keeps ${spare}\n`);
  },
});

const removeSpare = defineCommand({
  meta: { description: "Remove the database that a restore has replaced" },
  args: spareArguments,
  async run({ args }) {
    const path = `${pathOf(args.slug)}/spare-database/${encodeURIComponent(args.database)}`;
    const left = await callPlatform<Spare>(args, "DELETE", path);
    if (args.json) print(left);
    else process.stdout.write(`${args.database} is removed; ${args.slug} has ${left.database}\n`);
  },
});

const key = defineCommand({
  meta: { description: "Make a key of every scope for a company that lost its own" },
  args: { ...platformOptions, slug: slugOption, json: isJsonOption },
  async run({ args }) {
    print(await callOnce(args, `${pathOf(args.slug)}/keys`));
  },
});

export const companyCommands = defineCommand({
  meta: { description: "Companies" },
  subCommands: {
    create,
    list,
    show,
    suspend,
    resume,
    close,
    "use-spare": useSpare,
    "remove-spare": removeSpare,
    key,
  },
});

async function setStatus(
  args: PlatformArguments & { slug: string; json: boolean },
  status: "active" | "suspended",
  outcome: string,
): Promise<void> {
  report(args, await callPlatform<Company>(args, "PATCH", pathOf(args.slug), { status }), outcome);
}

function report({ json }: { json: boolean }, company: Company, outcome: string): void {
  if (json) print(company);
  else process.stdout.write(`${company.slug} ${outcome}\n`);
}

function pathOf(slug: string): string {
  return `/platform/companies/${encodeURIComponent(slug)}`;
}
