import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { refusal } from "../../features/refusal.ts";
import { blockDatabase } from "../../support/block-database.ts";
import { clientOf, openCompany, runCron, setFaults } from "../../support/company.ts";
import { doctor, restart, service, useOwnService, wrong } from "./doctor.ts";

await useOwnService();

test("a wrong master key, with which every call is 503 no_key_opens, is reported with what it closes", async () => {
  const company = await openCompany({}, service);
  const ran = await doctor({}, "--all");
  expect(wrong(ran)).toEqual([]);
  expect(ran.lines).toContain("ok  companies: 1 of 1 company open as for their calls");
  expect(ran.lines).toContainEqual(
    expect.stringMatching(/^ok {2}encrypted values: [1-9]\d* of \d columns? open$/),
  );
  await restart({ MASTER_KEY: Buffer.alloc(32, 9).toString("base64") });
  expect(await company.call("GET", "/customers/:company")).toMatchObject(refusal(503, "no_key_opens"));
  const sick = await doctor();
  expect(sick.code).toBe(1);
  expect(wrong(sick)).toEqual([
    expect.stringMatching(
      /^no {2}instance: no master key of the service opens the tokens of its oldest companies : /,
    ),
    expect.stringMatching(
      /^no {2}companies: 1 of 1 that were tried do not open: test-\w+ \(no_key_opens\) : give the service the key/,
    ),
    expect.stringMatching(
      /^no {2}encrypted values: 1 of companies\.database_token need the key [0-9a-f]{12} \(test-\w+\) : /,
    ),
    expect.stringMatching(/^no {2}opening a company: it answered 503 no_key_opens/),
  ]);
  await restart({});
  expect(wrong(await doctor())).toEqual([]);
});

test("a cron that has not run, of which the check waits for the next, is reported", async () => {
  const control = clientOf("control", service);
  await control.execute("UPDATE heartbeats SET at = at - 3600000 WHERE name = 'cron'");
  const late = doctor();
  await sleep(3_000);
  await runCron(service);
  expect(wrong(await late)).toEqual([]);
  await control.execute("DELETE FROM heartbeats WHERE name = 'cron'");
  const ran = await doctor();
  expect(wrong(ran)).toEqual([
    expect.stringMatching(
      /^no {2}cron: it never ran; the check may take 90 s : on Cloudflare: `\[triggers\]`/,
    ),
  ]);
  await runCron(service);
});

test("companies whose databases are blocked are named, wholly and for writes", async () => {
  const [one, two] = [await openCompany({}, service), await openCompany({}, service)];
  expect((await doctor({}, "--all")).lines).toContain(
    "ok  blocked writes: none of their databases is blocked for writes alone",
  );
  await blockDatabase(one, { reads: false, writes: true }, service);
  await blockDatabase(two, { reads: true, writes: true }, service);
  const ran = await doctor({}, "--all");
  expect(ran.code).toBe(1);
  const remedy = "find out why the operator of the database server blocks them";
  expect(wrong(ran)).toEqual([
    expect.stringContaining(
      `no  companies: 1 of 3 that were tried do not open: ${two.slug} (database_blocked) : ${remedy}`,
    ),
    expect.stringContaining(
      `no  blocked writes: 1 of 3 that were tried are read and not written: ${one.slug} (writes_blocked) : ${remedy}`,
    ),
  ]);
  for (const each of [one, two]) await blockDatabase(each, { reads: false, writes: false }, service);
});

test("each cause for which companies do not open is named, with its own remedy", async () => {
  const [one, two] = [await openCompany({}, service), await openCompany({}, service)];
  await one.faults({ kind: "error", code: "SQLITE_CORRUPT" });
  await two.faults({ kind: "status", status: 404 });
  const ran = await doctor({}, "--all");
  for (const each of [one, two]) await each.faults();
  expect(ran.code).toBe(1);
  const [line = ""] = wrong(ran);
  expect(line).toContain(`${one.slug} (database_damaged)`);
  expect(line).toContain(`${two.slug} (database_missing)`);
  expect(line).toContain(
    "database_missing: after a loss of the control database run `company-ops adopt`; else were their",
  );
  expect(wrong(ran)).toHaveLength(1);
});

test.each([
  [{ kind: "status", status: 404 }, "the database server does not know the control database"],
  [{ kind: "reset_before" }, "the control database does not answer"],
  [{ kind: "error", code: "SQLITE_CORRUPT" }, "the file of the control database is damaged"],
] as const)(
  "a control database that meets %j is the first that is named, by its cause",
  async (fault, said) => {
    await setFaults("control", [fault], service);
    const ran = await doctor();
    await setFaults("control", [], service);
    expect(wrong(ran)[0]).toContain(`no  control database: ${said} : `);
  },
);

test("a full disk is named once, and what would have to be written is left out", async () => {
  const company = await openCompany({}, service);
  // As sqld answers when a write to its log finds no space on the device.
  await setFaults("control", [{ kind: "error", code: "SQLITE_IOERR", writes_only: true }], service);
  await company.faults({ kind: "error", code: "SQLITE_IOERR" });
  const ran = await doctor({}, "--all");
  await company.faults();
  await setFaults("control", [], service);
  expect(ran.code).toBe(1);
  expect(ran.lines).toContainEqual(expect.stringContaining("the disk closes 1 that were tried"));
  expect(wrong(ran)).toEqual([
    "no  disk: the database server cannot write its files, so that writes are 503 and do nothing: its disk is full, or fails : make room on its disk: writes then go on by themselves",
  ]);
  const leftOut = ran.lines.filter((line) => line.startsWith("--  "));
  expect(leftOut.map((line) => line.split(":")[0])).toEqual(["--  cron", "--  queues"]);
  expect(ran.lines.join()).not.toContain("opening a company");
  expect(wrong(await doctor())).toEqual([]);
});
