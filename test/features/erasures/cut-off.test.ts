import { expect, test } from "vitest";
import { must, type TestCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { openWith } from "../messaging/provider.ts";
import { erase, everywhere, found, openSchool, postErasure } from "./person.ts";

// Of which a batch takes a thousand.
const MESSAGES = 10_000;
const DIGITS = "919845077777";

/** So many messages to one number, sent long since. */
async function withMessages(count: number): Promise<TestCompany> {
  const company = await openWith("msg91");
  const numbers = `WITH RECURSIVE one (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM one WHERE n < ${count})`;
  const id = "'msg_01' || printf('%024d', n)";
  await company.database().batch(
    [
      `${numbers} INSERT INTO messages (id, channel, status, details, content, created_at)
        SELECT ${id}, 'sms', 'delivered', '{}', '{"text":"Dear Tara"}', 1 FROM one`,
      `${numbers} INSERT INTO message_recipients (message_id, ordinal, address, status, provider, dispatch_state, leased_until)
        SELECT ${id}, 0, '${DIGITS}', 'delivered', 'msg91', 'dispatched', 0 FROM one`,
    ],
    "write",
  );
  return company;
}

test(`${MESSAGES} messages end within one call`, async () => {
  const company = await withMessages(MESSAGES);
  const { erased } = await erase(company, { phone: DIGITS });
  expect(erased.messages).toBe(MESSAGES);
  expect(await found(company, DIGITS, "Tara")).toEqual([]);
  await expectSound(company);
}, 120_000);

test("an erasure that is cut off between two batches is completed by the next", async () => {
  const company = await withMessages(2_500);
  // The first batch is written, and nothing after it.
  await company.faults(
    { kind: "delay", delay_ms: 0, times: 1, writes_only: true },
    { kind: "status", status: 503, writes_only: true },
  );
  expect((await postErasure(company, { phone: DIGITS })).status).toBe(503);
  await company.faults();
  const left = "SELECT count(*) AS n FROM message_recipients WHERE address <> 'erased'";
  expect(await company.rows(left)).toEqual([{ n: 1_500 }]);
  expect(await company.rows("SELECT 1 FROM person_erasures")).toEqual([]);
  expect((await erase(company, { phone: DIGITS })).erased.messages).toBe(1_500);
  expect(await company.rows(left)).toEqual([{ n: 0 }]);
}, 120_000);

test.each(["reset_before", "reset_after", "error"] as const)(
  "a batch that meets %s leaves all or nothing, and the next run completes it",
  async (kind) => {
    const school = await openSchool();
    const { company } = school;
    const tara = { name: "Tara Venkat", email: "tara@mail.example", digits: DIGITS, national: "9845077777" };
    await everywhere(school, tara);
    const rows = async () => (await company.rows("SELECT id FROM leads")).length;
    expect(await rows()).toBe(2);
    await company.faults({ kind, times: 1, writes_only: true });
    const first = await postErasure(company, { email: tara.email, phone: DIGITS });
    await company.faults();
    expect(await rows()).toBe(first.status === 201 ? 0 : 2);
    // Files go first, so they may be gone before their records.
    const again = await postErasure(company, { email: tara.email, phone: DIGITS });
    must(again, 201);
    expect(await rows()).toBe(0);
    expect([await company.files("leads"), await company.files("resumes")]).toEqual([[], []]);
    expect(await found(company, tara.email)).toEqual(["sales_orders.customer"]);
    await expectSound(company);
  },
  60_000,
);
