import type { AcceptedRow } from "../../../src/features/messaging/send/accepted.ts";
import { sendEmail } from "../../../src/features/messaging/send/send-email.ts";
import { sendSms } from "../../../src/features/messaging/send/send-sms.ts";
import { clientOf, openCompany } from "../../support/company.ts";
import { MessagingWorld, type Options } from "./world.ts";

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

/** A company with a provider of each kind; or with the platform's mailer, and none of its own. */
export async function openWorld(options: Options = {}) {
  const company = await openCompany();
  for (const body of options.mailer === undefined ? PROVIDERS : [])
    await company.make("/settings/:company/messaging-providers", body);
  for (const statement of MARKS) await company.database().execute(statement);
  // The service's own Worker, whose cron other tests start, is to send none of these.
  const sql = "UPDATE companies SET next_sweep_at = NULL WHERE slug = ?";
  await clientOf("control").execute({ sql, args: [company.slug] });
  return MessagingWorld.open(company, options);
}

export function sms(world: MessagingWorld, index = 1): Promise<AcceptedRow> {
  const to = `9198${String(index).padStart(8, "0")}`;
  return sendSms(world.ctx(), {}, { to, message: `Message ${index}`, type: "transactional" });
}

export function mail(world: MessagingWorld, ...addresses: string[]): Promise<AcceptedRow> {
  const to = addresses.map((email) => ({ email, name: null }));
  return sendEmail(world.ctx(), {}, { to, subject: "Ready", html: "<p>Ready</p>", purpose: "transactional" });
}
