import { expect, test } from "vitest";
import { findAll } from "../../../src/features/erasures/find.ts";
import { hashErasedContacts } from "../../../src/features/messaging/contacts/erase.ts";
import { PERSON_ERASURE } from "../../../src/wiring/erasers.ts";
import { explain, statementsOf } from "./plans.ts";

const person = { given: {}, emails: ["a@mail.example"], phones: ["+919845012345"] };
// What grows with every customer, lead, order or message.
const LARGE =
  /\bSCAN (?:customers|leads|lead_submissions|applications|bookings|sales_orders|invoices|payments|accounts|journal_\w+|messages|message_recipients|other|inbound_messages|contact_optouts|email_suppressions)\b/;

test("everything of a person is found by an index", async () => {
  const statements = await statementsOf((ctx) => findAll(ctx, PERSON_ERASURE, person), {});
  expect(statements.length).toBeGreaterThan(9);
  for (const { sql, args } of statements)
    expect(
      (await explain(sql, args)).filter((step) => LARGE.test(step)),
      sql,
    ).toEqual([]);
});

test("what a restore has marked as erased is found by an index that holds nothing else", async () => {
  for (const { sql, args } of await statementsOf((ctx) => hashErasedContacts(ctx), {}))
    expect(
      (await explain(sql, args)).filter((step) => LARGE.test(step) && !/_unmarked/.test(step)),
      sql,
    ).toEqual([]);
});
