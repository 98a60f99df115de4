import { type Client, createClient } from "@libsql/client/web";
import { afterAll, beforeEach, expect } from "vitest";
import { companyOf, must, type Opened, runCron } from "../../support/company.ts";
import { type Answer, type ServiceAddress, send } from "../../support/http.ts";
import { ADMIN_KEY, type Sqld, startSqld } from "../../support/libsql/bare-sqld.ts";
import { type Loss, type LossyProxy, startLossyProxy } from "../../support/lossy-proxy.ts";
import { ownService } from "../../support/own-service.ts";

export const COMPANIES = "/platform/companies";

// A service of its own: what it does to its database server must meet no other test's companies.
export let sqld: Sqld;
let admin: LossyProxy;
export let data: LossyProxy;
export let service: ServiceAddress;

/** Gives a file's tests the service, which nothing is lost to before a test says so. */
export async function useOwnService(): Promise<void> {
  sqld = await startSqld();
  [admin, data] = await Promise.all([startLossyProxy(sqld.adminUrl), startLossyProxy(sqld.url)]);
  await sqld.admin("POST", "/v1/namespaces/control/create", {});
  // Those that are registered last run first: the service ends before what it asks.
  afterAll(async () => {
    admin.stop();
    data.stop();
    await sqld.stop();
  });
  const { address } = await ownService([], {
    variables: {
      CONTROL_DATABASE_URL: `${data.url}/dev/control/`,
      SQLD_ADMIN_URL: admin.url,
      SQLD_ADMIN_TOKEN: ADMIN_KEY,
      CONTROL_DATABASE_TOKEN: sqld.token,
      SQLD_DATABASE_TOKEN: sqld.token,
      SQLD_DATABASE_URL: `${data.url}/dev/{namespace}/`,
    },
  });
  service = { ...address, libsqlUrl: sqld.url, libsqlToken: sqld.token };
  beforeEach(live);
}

export type Fields = Record<string, unknown>;

export function create(slug: string, key?: string, fields: Fields = {}): Promise<Answer<Opened>> {
  return post<Opened>(COMPANIES, key, { slug, name: "Asha Traders", ...fields });
}

export function post<Data>(path: string, key?: string, body?: Fields): Promise<Answer<Data>> {
  const headers = {
    Authorization: `Bearer ${service.platformToken}`,
    ...(key === undefined ? {} : { "Idempotency-Key": key }),
  };
  return send<Data>("POST", path, { body, service, headers });
}

export const databaseOf = (namespace: string): Client =>
  createClient({ url: `${sqld.url}/dev/${namespace}/`, authToken: sqld.token });

export const control = (sql: string, ...args: string[]) => databaseOf("control").execute({ sql, args });

export const nameOf = async (slug: string) =>
  (await control("SELECT database_name AS name FROM companies WHERE slug = ?", slug)).rows[0]?.name;

export const configOf = async (namespace: string) =>
  (await (await sqld.admin("GET", `/v1/namespaces/${namespace}/config`)).json()) as Fields;

/** Every database there is belongs to a company, and every company has its own. */
export async function expectNothingAbandoned(): Promise<void> {
  const { rows } = await control("SELECT database_name AS name FROM companies");
  const made = (await sqld.namespaces()).filter((name) => name.startsWith("co-"));
  expect(made.sort()).toEqual(rows.map(({ name }) => String(name)).sort());
  expect((await control("SELECT name FROM abandoned_databases")).rows).toEqual([]);
}

export async function expectUsable(opened: Opened): Promise<void> {
  const company = await companyOf(opened, service);
  expect(must(await company.call("GET", "/settings/:company/keys"), 200).body.data).toHaveLength(1);
  const years = await databaseOf(company.namespace).execute("SELECT count(*) AS n FROM financial_years");
  expect(years.rows[0]?.n).toBe(1);
}

/** From the first request on that `begins` names nothing passes, not even what would undo the attempt: its process died. */
export function dieAt(begins: (line: string) => boolean, how: Loss): void {
  let dead = false;
  for (const proxy of [admin, data])
    proxy.lose((line) => {
      if (dead) return "request";
      dead = begins(line);
      return dead ? how : undefined;
    });
}

export function live(): void {
  for (const proxy of [admin, data]) proxy.lose(() => undefined);
}

export const sweep = () => runCron(service);

export async function die(slug: string, key: string): Promise<string> {
  dieAt(nthOf("/dev/co-", 3), "answer");
  expect((await create(slug, key)).status).toBe(503);
  live();
  return String(await nameOf(slug));
}

export function nthOf(part: string, n: number): (line: string) => boolean {
  let seen = 0;
  return (line) => line.includes(part) && ++seen === n;
}

/** The request to the control database that follows those to the company's own: the last of a creation. */
export function activation(): (line: string) => boolean {
  let filled = false;
  return (line) => {
    filled ||= line.includes("/dev/co-");
    return filled && line.includes("/dev/control/");
  };
}
