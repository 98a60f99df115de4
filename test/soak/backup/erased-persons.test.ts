import { expect, test } from "vitest";
import {
  ERASURES,
  erase,
  everywhere,
  found,
  inMessages,
  openSchool,
  type Someone,
} from "../../features/erasures/person.ts";
import { accepted, sendSms, until } from "../../features/messaging/provider.ts";
import { onlyRules } from "../../features/notifications/notified.ts";
import { companyOf, must } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";
import { expectSelfCheckSound, useCommandLine } from "./command.ts";

const ZARINA: Someone = {
  name: "Zarina Quadri",
  email: "zarina.quadri@mail.example",
  digits: "919845067812",
  national: "9845067812",
};

const { done } = useCommandLine();

test("a person who was erased after a backup is gone after its restore, and their opt-out holds", async () => {
  const school = await openSchool();
  const { company } = school;
  await onlyRules(company, {});
  await everywhere(school, ZARINA);
  await inMessages(company, ZARINA);
  const file = `${company.slug}.backup`;
  await done("backup", company.slug, file);
  const { erased } = await erase(company, { email: ZARINA.email, phone: ZARINA.national });
  expect(erased).toMatchObject({ customers: 2, messages: 4, inbound: 2, optouts: 1, suppressions: 1 });
  const kept = ["sales_orders.customer"];
  expect(await found(company, ZARINA.email, ZARINA.national)).toEqual(kept);
  // The control database may not name the person either.
  const told = "SELECT count(*) AS n FROM audit_log WHERE instr(record, '98450') > 0";
  expect(await company.rows(told)).toEqual([{ n: 0 }]);

  const again = await done("restore", file, "--as", `${company.slug}-2`, "--json");
  const copy = await companyOf(JSON.parse(again.stdout));
  must(await copy.patch({ status: "active" }), 200);
  const unmarked =
    "SELECT 1 FROM contact_optouts WHERE address <> 'erased' UNION ALL SELECT 1 FROM email_suppressions WHERE email NOT GLOB 'erased:*'";
  await copy.sweep(async () => (await copy.rows(unmarked)).length === 0);
  // The hourly jobs purge idempotency records once their day is over, as everywhere.
  const remembered = await found(copy, ZARINA.email, ZARINA.national);
  expect(remembered.filter((cell) => cell !== "operations.snapshot")).toEqual(kept);
  expect([await copy.files("leads"), await copy.files("resumes")]).toEqual([[], []]);
  const id = accepted(await sendSms(copy, { to: ZARINA.digits }));
  expect((await until(copy, id, "rejected")).error?.code).toBe("not_opted_in");
  expect(must(await copy.call<object[]>("GET", ERASURES), 200).body.data).toEqual([]);
  await expectSound(copy);
  await expectSelfCheckSound(copy);
}, 300_000);
