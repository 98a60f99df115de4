import { inject } from "vitest";
import type { Env } from "../../src/env.ts";
import type { AcceptedRow } from "../../src/features/messaging/send/accepted.ts";
import { sendEmail } from "../../src/features/messaging/send/send-email.ts";
import { seededRandom } from "../../src/sandbox/gateways/seeded-random.ts";
import { clientOf, must, openCompany, type TestCompany } from "../support/company.ts";
import { MessagingWorld } from "./messaging-world.ts";

export const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);
type Mailer = NonNullable<Env["EMAIL"]>;

/** No message here carries a file. */
export const attach = async () => null;

const PROVIDERS = [
  { channel: "sms", kind: "exotel", config: { account_sid: "asha", api_key: "key", api_token: "token" } },
  { channel: "email", kind: "resend", config: { api_key: "re_test", from_email: "hello@asha.example" } },
];

// Each mark of a recipient as done with leaves a row.
const MARKS = [
  "CREATE TABLE marks (recipient INTEGER NOT NULL, state TEXT NOT NULL) STRICT",
  `CREATE TRIGGER marked AFTER UPDATE OF dispatch_state ON message_recipients WHEN NEW.dispatch_state IN ('dispatched', 'dead')
    BEGIN INSERT INTO marks VALUES (NEW.id, NEW.dispatch_state); END`,
];

export function worldOf(company: TestCompany, options: { faults?: number; mailer?: Mailer } = {}) {
  const given = { random: seededRandom(SEED), faults: 0, ...options };
  return MessagingWorld.open(company.slug, inject("service"), given);
}

export async function withProviders(providers = PROVIDERS): Promise<TestCompany> {
  const company = await openCompany();
  for (const body of providers)
    must(await company.call("POST", "/settings/:company/messaging-providers", { body }), 201);
  for (const statement of MARKS) await company.database().execute(statement);
  // The service's own Worker, whose cron other tests start, is to send none of these.
  const sql = "UPDATE companies SET next_sweep_at = NULL WHERE slug = ?";
  await clientOf("control").execute({ sql, args: [company.slug] });
  return company;
}

export const sms = (index: number) => ({
  to: `9198${String(index).padStart(8, "0")}`,
  message: `Message ${index}`,
  type: "transactional" as const,
});

export function mail(
  world: MessagingWorld,
  index: number,
  addresses = ["a", "b", "c"].map((name) => `${name}@${index}.example`),
): Promise<AcceptedRow> {
  const to = addresses.map((email) => ({ email, name: null }));
  return sendEmail(world.ctx(), {}, { to, subject: "Ready", html: "<p>Ready</p>", purpose: "transactional" });
}

export async function recipients(company: TestCompany) {
  const { rows } = await company.database().execute(`
    SELECT r.*, m.channel, json_extract(r.error, '$.code') AS reason,
      (SELECT count(*) FROM marks WHERE recipient = r.id) AS marks
    FROM message_recipients r JOIN messages m ON m.id = r.message_id ORDER BY r.id`);
  return rows;
}

export async function open(company: TestCompany): Promise<number> {
  const { rows } = await company
    .database()
    .execute(
      "SELECT count(*) AS n FROM message_recipients WHERE dispatch_state IN ('pending', 'dispatching')",
    );
  return Number(rows[0]?.n);
}
