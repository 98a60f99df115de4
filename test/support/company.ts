import { randomBytes } from "node:crypto";
import type { Client, InValue } from "@libsql/client/web";
import { inject, vi } from "vitest";
import { clientOf, rowsIn, setFaults } from "./databases.ts";
import { type Answer, randomAddress, type Send, type ServiceAddress, send } from "./http.ts";
import type { FaultRule } from "./libsql/faults.ts";

export { clientOf, controlRows, requestCounts, setFaults } from "./databases.ts";

type Fields = Record<string, unknown>;
export type Key = { client_id: string; client_secret: string | null };
/** `key: null` sends no credentials; `base` is the base address of the API unless it is given. */
export type Call = Send & { key?: Key | null; base?: string };

/** A company of a test's own, opened through the API, and all that a test does with it. */
export class TestCompany {
  readonly slug: string;
  /** Holds every scope. */
  readonly admin: Key;
  /** Where its calls come from. */
  readonly address = randomAddress();
  /** What its database is called on the server. */
  readonly namespace: string;

  readonly #service: ServiceAddress;

  constructor(slug: string, admin: Key, namespace: string, service: ServiceAddress = inject("service")) {
    this.slug = slug;
    this.admin = admin;
    this.namespace = namespace;
    this.#service = service;
  }

  /** Where the service is, and the stand-ins for the payment gateways. */
  get url(): string {
    return this.#service.url;
  }

  get gatewaysUrl(): string {
    return this.#service.gatewaysUrl;
  }

  /** Where the rest of the outside world is. */
  get outsideUrl(): string {
    return this.#service.outsideUrl;
  }

  /** A call signed with the admin key, or with `key`; `:company` in the path stands for this company. */
  call<Data = Record<string, unknown>>(
    method: string,
    path: string,
    { key = this.admin, base = "/v1", headers = {}, ...rest }: Call = {},
  ): Promise<Answer<Data>> {
    return send<Data>(method, base + path.replace(":company", this.slug), {
      service: this.#service,
      ...rest,
      headers: { "CF-Connecting-IP": this.address, ...credentials(key), ...headers },
    });
  }

  /** What is to be read at a path. */
  async read<Data = Record<string, unknown>>(path: string, call: Call = {}): Promise<Data> {
    return must(await this.call<Data>("GET", path, call), 200).body.data;
  }

  /** What a POST makes there. */
  async make<Data = Record<string, unknown>>(path: string, body: unknown): Promise<Data> {
    return must(await this.call<Data>("POST", path, { body }), 201).body.data;
  }

  /** What a PATCH makes of what is there. */
  async change<Data = Record<string, unknown>>(path: string, body: unknown): Promise<Data> {
    return must(await this.call<Data>("PATCH", path, { body }), 200).body.data;
  }

  /** Makes a key of these fields: `{scopes}`, `{type: "publishable", allowed_origins}`, a limit. */
  async makeKey(fields: Fields = {}): Promise<Key> {
    const body = { name: "Test", type: "secret", ...fields };
    return this.make<Key>("/settings/:company/keys", body);
  }

  /** A secret key that holds these scopes. */
  key(...scopes: string[]): Promise<Key> {
    return this.makeKey({ scopes });
  }

  /** A publishable key that works from these origins. */
  publishableKey(...origins: string[]): Promise<Key> {
    return this.makeKey({ type: "publishable", allowed_origins: origins });
  }

  /** Lets the admin key call as often as a load test needs. */
  async raiseLimit(): Promise<this> {
    const path = `/settings/:company/keys/${this.admin.client_id}`;
    await this.change(path, { rate_limit_per_minute: 1_000_000 });
    return this;
  }

  /** A client straight on the company's database, for what the API does not show. */
  database(): Client {
    return clientOf(this.namespace, this.#service);
  }

  /** The rows of one statement, run straight on it. */
  rows(sql: string, ...args: InValue[]): Promise<Record<string, unknown>[]> {
    return rowsIn(this.database(), sql, args);
  }

  /** Sets the faults that this company's database meets; none clears them. */
  faults(...rules: FaultRule[]): Promise<void> {
    return setFaults(this.namespace, rules, this.#service);
  }

  /** How many requests have met the faults that are set. */
  async faultsMet(): Promise<number> {
    const response = await fetch(`${this.#service.libsqlAdminUrl}/test/faults/${this.namespace}`);
    return Number(await response.text());
  }

  /** Requests that this company's database has answered since it was made. */
  async requests(): Promise<number> {
    const response = await fetch(`${this.#service.libsqlAdminUrl}/test/requests/${this.namespace}`);
    return Number(await response.text());
  }

  /** The paths of the files of one folder that are stored for this company. */
  async files(folder: string): Promise<string[]> {
    return this.#askFiles("GET", folder);
  }

  /** Deletes those whose paths begin so in the object storage, behind the service's back; gives how many there were. */
  async loseFiles(folder: string, path = ""): Promise<number> {
    return (await this.#askFiles("DELETE", folder, path)).length;
  }

  async #askFiles(method: string, folder: string, path = ""): Promise<string[]> {
    const sql = "SELECT id FROM companies WHERE slug = ?";
    const [row] = await rowsIn(clientOf("control", this.#service), sql, [this.slug]);
    const prefix = `${folder}/${row?.id}/`;
    const response = await fetch(`${this.#service.outsideUrl}/files?prefix=${prefix}${path}`, { method });
    return ((await response.json()) as string[]).map((key) => key.slice(prefix.length));
  }

  /** Shifts the company's clock to so many seconds from the real time. */
  async clock(seconds: number): Promise<void> {
    must(await this.patch({ clock_offset_seconds: seconds }), 200);
  }

  /** Makes the company's hourly jobs due, and lets the minute's cron run, which queues them. */
  async startSweep(): Promise<void> {
    const sql = "UPDATE companies SET next_sweep_at = 0 WHERE slug = ?";
    await clientOf("control", this.#service).execute({ sql, args: [this.slug] });
    await runCron(this.#service);
  }

  /** The same, and waits until the job has done its work. A cron that another test began may take the turn back: once more then. */
  async sweep(until: () => Promise<boolean>): Promise<void> {
    await this.startSweep();
    await vi
      .waitUntil(until, { timeout: 7_500, interval: 100 })
      .catch(() => this.startSweep().then(() => vi.waitUntil(until, { timeout: 15_000, interval: 100 })));
  }

  /** Waits until every row of the audit log is in its chain, by the clock or by the hourly jobs. */
  untilChained(): Promise<void> {
    const sql = "SELECT (SELECT max(last_id) FROM audit_links) = (SELECT max(id) FROM audit_log) AS whole";
    return this.sweep(async () => (await this.rows(sql))[0]?.whole === 1);
  }

  /** Changes the company as the operator. */
  patch(body: Fields): Promise<Answer> {
    return platform("PATCH", `/platform/companies/${this.slug}`, body, this.#service);
  }
}

/** Lets the minute's cron run, to its end. */
export async function runCron({ cronUrl }: ServiceAddress = inject("service")): Promise<void> {
  const response = await fetch(cronUrl);
  if (!response.ok) throw new Error(`The cron failed: ${await response.text()}`);
}

/** Opens a company with a slug that no other test has. */
export async function openCompany(fields: Fields = {}, service?: ServiceAddress): Promise<TestCompany> {
  const body = { slug: randomSlug(), name: "Asha Traders", ...fields };
  const answer = await platform<Opened>("POST", "/platform/companies", body, service);
  return companyOf(must(answer, 201).body.data, service);
}

/** The same, of a company whose admin key may call as often as a load test needs. */
export async function openBusy(...given: Parameters<typeof openCompany>): Promise<TestCompany> {
  return (await openCompany(...given)).raiseLimit();
}

export type Opened = { slug: string; admin_key: Key };

/** The company that an answer says was opened. */
export async function companyOf(opened: Opened, service?: ServiceAddress): Promise<TestCompany> {
  const sql = "SELECT database_name AS name FROM companies WHERE slug = ?";
  const [row] = await rowsIn(clientOf("control", service), sql, [opened.slug]);
  return new TestCompany(opened.slug, opened.admin_key, String(row?.name), service);
}

/** A call of the operator. */
export function platform<Data = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
  service: ServiceAddress = inject("service"),
): Promise<Answer<Data>> {
  return send(method, path, {
    body,
    service,
    headers: { Authorization: `Bearer ${service.platformToken}` },
  });
}

/** What the operator reads at a path. */
export async function platformRead<Data>(path: string, service?: ServiceAddress): Promise<Data> {
  return must(await platform<Data>("GET", path, undefined, service), 200).body.data;
}

export function randomSlug(): string {
  return `test-${randomBytes(8).toString("hex")}`;
}

/** The headers that a key signs with. */
export function credentials(key: Key | null): Record<string, string> {
  if (key === null) return {};
  return {
    "X-Client-Id": key.client_id,
    ...(key.client_secret === null ? {} : { "X-Client-Secret": key.client_secret }),
  };
}

/** What a test meets in place of the answer that it builds on. */
export class Unexpected extends Error {
  readonly answer: Answer<unknown>;

  constructor(answer: Answer<unknown>, status: number) {
    super(`${answer.status} in place of ${status}: ${answer.text}`);
    this.answer = answer;
  }
}

/** The answer, when it has the status that the test builds on. */
export function must<Data>(answer: Answer<Data>, status: number): Answer<Data> {
  if (answer.status !== status) throw new Unexpected(answer, status);
  return answer;
}
