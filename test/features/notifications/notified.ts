import { expect, inject } from "vitest";
import type * as z from "zod";
import type { Ctx } from "#core/context.ts";
import { Database } from "#core/database/database.ts";
import type { Task } from "#core/jobs.ts";
import { NO_CHANGES } from "#core/write/events.ts";
import { ulid } from "#shared/text/ulid.ts";
import { notify } from "../../../src/features/notifications/send/notify.ts";
import type { logged } from "../../../src/features/notifications/settings/log.ts";
import { must, openCompany, type TestCompany } from "../../support/company.ts";

export type Logged = z.output<typeof logged.schema>;

const SETTINGS = "/settings/:company/notifications";

/** What became of a company's notifications, in the order in which they were made; of settings only those asked for. */
export async function logOf(company: TestCompany, query = ""): Promise<Logged[]> {
  const all = (await company.read<Logged[]>(`${SETTINGS}/log?limit=100&${query}`)).reverse();
  return query.includes("rule=") ? all : all.filter(({ resource }) => resource !== "setting");
}

/** Each as a line: its rule, its channel, whom it is for, and what became of it. */
export async function linesOf(company: TestCompany, query = ""): Promise<string[]> {
  return (await logOf(company, query)).map(({ rule, channel, recipient, state, reason }) =>
    [rule, channel, recipient.replace(/:\d+/, ""), state, reason ?? ""].join(" ").trim(),
  );
}

/** Waits until nothing of a company is due any more, and gives the lines. */
export async function settledLines(company: TestCompany, query = ""): Promise<string[]> {
  await expect
    .poll(async () => (await logOf(company, query)).some(({ state }) => state === "due"))
    .toBe(false);
  return linesOf(company, query);
}

export async function setNotifications(company: TestCompany, body: object): Promise<void> {
  must(await company.call("PATCH", SETTINGS, { body }), 200);
}

/** Turns every rule off but these, each with its channels and what else is sent of it. */
export async function onlyRules(company: TestCompany, rules: Record<string, object>): Promise<void> {
  const { body } = must(await company.call<{ rules: { rule: string }[] }>("GET", SETTINGS), 200);
  const off = { email: false, sms: false, chatapp: false };
  await setNotifications(company, {
    rules: body.data.rules.map(({ rule }) => {
      const { channels = {}, ...rest } = (rules[rule] ?? {}) as { channels?: object };
      return { rule, channels: { ...off, ...channels }, ...rest };
    }),
  });
}

/** The job of what is due. */
const sendDue = (ctx: Ctx): Promise<unknown> => notify(() => ctx);

/** Runs a job beside the service, on the company's own database, at an instant; gives what it queued. */
export async function runJob(
  company: TestCompany,
  {
    now = Date.now(),
    country = "IN",
    timezone = "Asia/Kolkata",
    job = sendDue,
    /** What happens between the search and the sending. */
    meanwhile = async (): Promise<unknown> => undefined,
  } = {},
): Promise<Task[]> {
  const { libsqlUrl, libsqlToken } = inject("service");
  const database = new Database({ url: `${libsqlUrl}/dev/${company.namespace}/`, token: libsqlToken });
  const queued: Task[] = [];
  const ctx = {
    actor: { type: "system", id: "notify", name: "notify" },
    company: { id: 1, slug: company.slug, country, currency: "INR", timezone },
    db: database.build,
    database,
    now,
    requestId: "req_notify",
    changes: NO_CHANGES,
    origin: "https://api.example.com",
    services: { mailer: { from: "no-reply@platform.example" }, publicOrigin: "https://api.example.com" },
    newId: () => ulid(now),
    hmacs: async () => [new Uint8Array(32)],
    enqueue: async (tasks: Task[]) => void queued.push(...tasks),
    reserveOwnQuota: async () => {
      await meanwhile();
      return { giveBack: async () => undefined };
    },
  };
  await job(ctx as unknown as Ctx);
  return queued;
}

/** Puts a due notification where the service's own clock finds nothing: at an instant far ahead. */
export async function dueAt(company: TestCompany, instant: number, fields: object = {}): Promise<void> {
  const row = {
    ...{ rule: "lead_received", channel: "email", recipient: "company", resource: "lead", record_id: "1" },
    ...{ occasion: "1", due_at: instant, ...fields },
  };
  await company.rows(
    `INSERT INTO notifications (${Object.keys(row).join(", ")}) VALUES (${Object.keys(row).fill("?").join(", ")})`,
    ...Object.values(row),
  );
}

export async function withLead(fields: object = {}): Promise<TestCompany> {
  const company = await openCompany({ email: "office@asha.example", ...fields });
  await onlyRules(company, { lead_received: { channels: { email: true } } });
  await company.rows(`INSERT INTO leads (lead_number, email_norm, status, source, name, email, phone, submission_count,
    created_at, last_submitted_at, updated_at) VALUES ('L-1', 'mia@example.com', 'new', 'web', 'Mia', 'mia@example.com', NULL, 1, 0, 0, 0)`);
  await company.rows("DELETE FROM events");
  return company;
}
