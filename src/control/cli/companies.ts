import { defineCommand } from "citty";
import { callOnce, listPlatform, platformOptions, print } from "./request.ts";

type Company = { slug: string; name: string; status: string };

const create = defineCommand({
  meta: { name: "create", description: "Open a company and show its administrator key, once" },
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
  },
  async run({ args }) {
    const { slug, name, state, gstin, country, currency, timezone, email, address } = args;
    const body = { slug, name, state, gstin, country, currency, timezone, email, address };
    print(await callOnce(args, "/platform/companies", body));
  },
});

const list = defineCommand({
  meta: { name: "list", description: "List the companies" },
  args: { ...platformOptions, json: { type: "boolean", description: "As JSON, for scripts" } },
  async run({ args }) {
    const companies = await listPlatform<Company>(args, "/platform/companies");
    if (args.json === true) return print(companies);
    for (const { slug, name, status } of companies)
      process.stdout.write(`${slug.padEnd(24)}  ${status.padEnd(9)}  ${name}\n`);
  },
});

const key = defineCommand({
  meta: { name: "key", description: "Make a key of every scope for a company that lost its own" },
  args: {
    ...platformOptions,
    slug: { type: "positional", description: "The company's slug", required: true },
  },
  async run({ args }) {
    print(await callOnce(args, `/platform/companies/${encodeURIComponent(args.slug)}/keys`));
  },
});

export const companyCommands = defineCommand({
  meta: { name: "company", description: "Companies" },
  subCommands: { create, list, key },
});
