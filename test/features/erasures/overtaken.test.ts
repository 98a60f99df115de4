import { expect, test } from "vitest";
import { openCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { rowsOf } from "../commerce.ts";
import { dueAt, linesOf, onlyRules, runJob, withLead } from "../notifications/notified.ts";
import { erase, found } from "./person.ts";

const LATER = Date.parse("2037-06-03T05:00Z");
const EMAIL = "mia@example.com";

test("a notification that was read before an erasure is not sent to the erased person after it", async () => {
  const company = await withLead();
  await onlyRules(company, { lead_acknowledged: { channels: { email: true } } });
  await dueAt(company, LATER, { rule: "lead_acknowledged", recipient: "lead" });
  await runJob(company, { now: LATER, meanwhile: () => erase(company, { email: EMAIL }) });
  expect(await found(company, EMAIL)).toEqual([]);
  expect(await rowsOf(company, "SELECT id FROM messages")).toEqual([]);
  // The same job reads it again.
  expect(await linesOf(company)).toEqual(["lead_acknowledged email lead skipped gone"]);
});

test("a message that was stored while its recipient was searched for is erased with them", async () => {
  const company = await openCompany();
  const id = "msg_01JCZZZZZZZZZZZZZZZZZZZZZZ";
  await company.database().execute(`CREATE TRIGGER meanwhile AFTER INSERT ON person_erasures BEGIN
    INSERT INTO messages (id, channel, status, details, content, created_at)
      VALUES ('${id}', 'email', 'sent', '{"subject":"Dear Mia"}', '{"text":"Dear Mia"}', 1);
    INSERT INTO message_recipients (message_id, ordinal, address, name, status, provider, dispatch_state, leased_until)
      VALUES ('${id}', 0, 'Mia@example.com', 'Mia', 'sent', 'resend', 'dispatched', 0);
  END`);
  await erase(company, { email: EMAIL });
  expect(await found(company, EMAIL, "Mia")).toEqual([]);
  const audited = "SELECT count(*) AS n FROM audit_log WHERE action = 'eraseRecipient'";
  expect(await rowsOf(company, audited)).toEqual([{ n: 1 }]);
  await company.database().execute("DROP TRIGGER meanwhile");
  await expectSound(company);
});
