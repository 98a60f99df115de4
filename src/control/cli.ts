#!/usr/bin/env node
// The command line of whoever runs the service: a client of its HTTP operations, needing no database credentials.
import { existsSync, readFileSync } from "node:fs";
import { intro, log, outro, progress } from "@clack/prompts";
import { defineCommand, runMain } from "citty";

type Credentials = {
  base_url: string;
  platform_token: string;
  company: string;
  secret_key: { client_id: string; client_secret: string };
};

const TIMEOUT_MS = 60_000;

// `npm start` leaves these, so that everything works against the demo without an argument.
const demo: Partial<Credentials> = readDemo(`${process.env.DATA_DIR ?? ".data"}/credentials.json`);

const host = {
  url: { type: "string", description: "Address of the host", valueHint: "https://api.example.com" },
} as const;
const platform = {
  ...host,
  "platform-token": { type: "string", description: "PLATFORM_TOKEN of the service, or that variable" },
} as const;

const companyCreate = defineCommand({
  meta: { name: "create", description: "Open a company and show its administrator key, once" },
  args: {
    ...platform,
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
    print(await callPlatform(args, "POST", "/platform/companies", body));
  },
});

const keyCreate = defineCommand({
  meta: { name: "create", description: "Make an API key and show its secret, once" },
  args: {
    ...host,
    company: { type: "string", description: "The company's slug" },
    "client-id": { type: "string", description: "A key with keys:write, or COMPANY_OPS_CLIENT_ID" },
    "client-secret": { type: "string", description: "Its secret, or COMPANY_OPS_CLIENT_SECRET" },
    name: { type: "string", description: "What the key is for", required: true },
    type: { type: "enum", options: ["secret", "publishable"], default: "secret", description: "Kind of key" },
    scopes: { type: "string", description: "Scopes of a secret key, separated by commas" },
    origins: { type: "string", description: "Allowed origins of a publishable key, separated by commas" },
  },
  async run({ args }) {
    const id = args["client-id"] ?? process.env.COMPANY_OPS_CLIENT_ID ?? demo.secret_key?.client_id;
    const secret =
      args["client-secret"] ?? process.env.COMPANY_OPS_CLIENT_SECRET ?? demo.secret_key?.client_secret;
    const company = args.company ?? demo.company;
    const lists = { scopes: args.scopes?.split(","), allowed_origins: args.origins?.split(",") };
    const headers = {
      "X-Client-Id": required(id, "--client-id"),
      "X-Client-Secret": required(secret, "--client-secret"),
    };
    const path = `/v1/settings/${required(company, "--company")}/keys`;
    print(await call(args.url, "POST", path, headers, { name: args.name, type: args.type, ...lists }));
  },
});

type Migrated = { id: string; applied: string[]; durability: string };

const migrate = defineCommand({
  meta: { name: "migrate", description: "Bring the control database and every company's up to date" },
  args: platform,
  async run({ args }) {
    intro("Migrations");
    report((await callPlatform(args, "POST", "/platform/migrations")) as Migrated);
    const slugs = await companySlugs(args);
    const bar = progress({ max: slugs.length });
    bar.start(`${slugs.length} companies`);
    for (const slug of slugs) {
      const migrated = (await callPlatform(
        args,
        "POST",
        `/platform/companies/${slug}/migrations`,
      )) as Migrated;
      bar.advance(1, slug);
      if (migrated.applied.length > 0 || migrated.durability === "set") report(migrated);
    }
    bar.stop("Companies are up to date");
    outro("Done");
  },
});

type PlatformArguments = { url?: string | undefined; "platform-token"?: string | undefined };

async function companySlugs(args: PlatformArguments): Promise<string[]> {
  const slugs: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page: CompanyPage = await request(
      args.url,
      "GET",
      `/platform/companies?limit=100${query}`,
      bearer(args),
    );
    slugs.push(...page.data.map((company) => company.slug));
    cursor = page.paging.next_cursor;
  }
  return slugs;
}

type CompanyPage = { data: { slug: string }[]; paging: { next_cursor: string | null } };

function callPlatform(
  args: PlatformArguments,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  return call(args.url, method, path, bearer(args), body);
}

function bearer(args: PlatformArguments): Record<string, string> {
  const token = args["platform-token"] ?? process.env.PLATFORM_TOKEN ?? demo.platform_token;
  return { Authorization: `Bearer ${required(token, "--platform-token")}` };
}

async function call(...request_: Parameters<typeof request>): Promise<unknown> {
  return (await request<{ data: unknown }>(...request_)).data;
}

async function request<T>(
  url: string | undefined,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<T> {
  const base = url ?? process.env.COMPANY_OPS_URL ?? demo.base_url ?? "http://localhost:8787";
  const response = await fetch(new URL(path, base), {
    method,
    headers: { ...headers, "Content-Type": "application/json" },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (response.ok) return answer as T;
  const { code, message, request_id: requestId } = answer as Record<string, string>;
  throw new Error(`${code}: ${message} (${requestId})`);
}

function report({ id, applied, durability }: Migrated): void {
  const done = applied.length === 0 ? "up to date" : applied.join(", ");
  log.step(`${id}: ${done}${durability === "set" ? "; commits now survive a power cut" : ""}`);
}

function print(data: unknown): void {
  process.stdout.write(`${JSON.stringify(data, null, 2)}\n`);
}

function required(value: string | undefined, option: string): string {
  if (value === undefined) throw new Error(`${option} is missing`);
  return value;
}

function readDemo(path: string): Partial<Credentials> {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

const main = defineCommand({
  meta: { name: "company-ops", description: "Runs a Company Operations service" },
  subCommands: {
    company: defineCommand({
      meta: { name: "company", description: "Companies" },
      subCommands: { create: companyCreate },
    }),
    key: defineCommand({
      meta: { name: "key", description: "API keys" },
      subCommands: { create: keyCreate },
    }),
    migrate,
  },
});

await runMain(main);
