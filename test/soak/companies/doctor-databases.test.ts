import { expect, test } from "vitest";
import { blockDatabase } from "../../support/block-database.ts";
import { openCompany, setFaults } from "../../support/company.ts";
import { doctor, service, useOwnService, wrong } from "./doctor.ts";

useOwnService();

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
      `no  companies: 1 of 2 that were tried do not open: ${two.slug} (database_blocked) : ${remedy}`,
    ),
    expect.stringContaining(
      `no  blocked writes: 1 of 2 that were tried are read and not written: ${one.slug} (writes_blocked) : ${remedy}`,
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
  expect(line).toContain("database_missing: were their namespaces removed?");
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
