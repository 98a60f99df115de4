import { createClient } from "@libsql/client/web";
import { expect, test } from "vitest";
import {
  type Key,
  must,
  openCompany,
  platform,
  runCron,
  setFaults,
  type TestCompany,
} from "../../support/company.ts";
import { inShell, shellBlocks } from "../../support/company-ops.ts";
import { useFolder } from "../../support/folder.ts";
import type { FaultRule } from "../../support/libsql/faults.ts";
import { operatorOf } from "../../support/operator.ts";
import { ownService } from "../../support/own-service.ts";
import { createNamespace } from "../../support/service.ts";
import { expectSelfCheckSound } from "./command.ts";

const PATIENT = { timeout: 240_000 };
// A dump that is copied from the template would not be empty.
const NEW = "control-2";

const path = useFolder();
const service = await ownService();

const at = (namespace: string) => `${service.libsql.url}/dev/${namespace}/`;

const clientAt = (namespace: string) => createClient({ url: at(namespace), authToken: service.libsql.token });
async function rowOf({ slug }: TestCompany): Promise<Record<string, unknown>> {
  const { rows } = await clientAt(NEW).execute({
    sql: "SELECT * FROM companies WHERE slug = ?",
    args: [slug],
  });
  return { ...rows[0] };
}

const shell = (lines: string, control = NEW) =>
  inShell(lines, { env: operatorOf(service.address, control), cwd: path() });

/** The two steps of docs/operate.md, with the addresses of this service. */
function steps(): [string, string] {
  const [fill = "", adopt = ""] = shellBlocks("operate.md", "When the control database is lost").map(
    (block) =>
      block
        .replace("http://localhost:8080/dev/control-2/", at(NEW))
        .replace("/var/lib/sqld", service.libsql.folder),
  );
  return [fill, adopt];
}

const statusOf = async (company: TestCompany, key: Key) =>
  (await company.call("GET", "/customers/:company", { key })).status;

test(
  "the drill of docs/operate.md: after it the new company's key works, and the revoked one is 401",
  PATIENT,
  async () => {
    const [fill, adopt] = steps();
    expect(fill.trim().split("\n")).toHaveLength(3);
    const lines = adopt.trim().split("\n");
    expect(lines).toHaveLength(5);
    // A company that was closed since the backup; here there is none of that name.
    const taken = lines.filter((line) => !line.includes("company-ops company "));
    expect(taken).toHaveLength(3);
    const here = service.address;
    const old = await openCompany({ state: "Karnataka" }, here);
    const [revoked, rotated] = [await old.key("customers:read"), await old.key("customers:read")];
    const moved = await openCompany({ state: "Karnataka" }, here);
    const backup = await shell("npx company-ops backup --control control.backup", "control");
    expect(backup).toMatchObject({ code: 0 });
    const restored = await shell(
      `npx company-ops backup ${moved.slug} moved.backup
      npx company-ops company suspend ${moved.slug}
      npx company-ops restore moved.backup --into ${moved.slug} --json
      npx company-ops company resume ${moved.slug}`,
      "control",
    );
    expect(restored).toMatchObject({ code: 0, stderr: "" });
    const [, later = ""] = /"database": "(co-\w+)"/.exec(restored.stdout) ?? [];
    const meera = { name: "Meera", state: "Karnataka", pincode: "560001" };
    const write = () => moved.call("POST", "/customers/:company", { body: meera });
    await expect.poll(async () => (await write()).status).toBe(201);

    const opened = await openCompany({ state: "Karnataka" }, here);
    const made = await opened.key("customers:read");
    const added = await old.key("customers:read");
    const keyPath = ({ client_id }: Key) => `/settings/:company/keys/${client_id}`;
    must(await old.call("DELETE", keyPath(revoked)), 200);
    const rotation = old.call<Key>("POST", `${keyPath(rotated)}/rotate`, { body: { overlap_seconds: 0 } });
    const fresh = must(await rotation, 200).body.data;
    const closed = await openCompany({}, here);
    must(await platform("POST", `/platform/companies/${closed.slug}/close`, undefined, here), 200);
    await createNamespace(service.libsql, "empty-stray");

    const gone = `CONTROL_DATABASE_URL=${at("gone")} npx company-ops backup ${old.slug} gone.backup`;
    expect((await shell(gone)).stderr).toContain(
      "does not know the control database: is CONTROL_DATABASE_URL",
    );
    const empty = `CONTROL_DATABASE_URL=${at("empty-stray")} npx company-ops backup --all empty`;
    expect((await shell(empty)).stderr).toContain("The control database has no tables: where there was one");
    // curl writes its progress to stderr.
    expect(await shell(fill)).toMatchObject({ code: 0 });
    expect((await shell("npx company-ops restore control.backup --control")).stderr).toContain(
      "is not empty",
    );
    await service.restart({ CONTROL_DATABASE_URL: at(NEW) });
    expect(await statusOf(opened, made)).toBe(401);
    expect(await statusOf(old, revoked)).toBe(200);
    expect(await write()).toMatchObject({ status: 503, body: { code: "unavailable" } });
    const known = await shell(`npx company-ops backup ${moved.slug} replaced.backup`);
    expect(known.stderr).toContain(`The database of ${moved.slug} was replaced by ${later}`);
    const named = await shell(
      `export SQLD_DATABASE_URL=${at("{namespace}")} SQLD_DATABASE_TOKEN=$CONTROL_DATABASE_TOKEN
      npx company-ops backup --database ${later} later.backup --without-files
      npx company-ops verify later.backup`,
    );
    expect(named).toMatchObject({ code: 0, stderr: "" });
    await shell("npx company-ops migrate");
    await runCron(service.address);
    const doctor = await shell("npx company-ops doctor");
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(
      /no {2}adoption: the control database was put back .* : run `company-ops adopt --from`/,
    );
    const between = await openCompany({}, here);
    // None of the ids that were given since the backup.
    expect((await rowOf(between)).id).toBeGreaterThan(1_000_000);

    const done = await shell(taken.join("\n"));
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toContain("2 companies taken in, 2 changed, 1 as they were, 0 refused");
    expect(done.stdout).toMatch(/ok {2}adoption: nothing waits to be taken in/);
    await expect.poll(() => statusOf(opened, made)).toBe(200);
    for (const [company, key, status] of [
      [opened, opened.admin, 200],
      [old, old.admin, 200],
      [old, added, 200],
      [old, revoked, 401],
      [old, fresh, 200],
      [old, rotated, 401],
      [moved, moved.admin, 200],
      [closed, closed.admin, 401],
      [between, between.admin, 200],
    ] as const)
      await expect.poll(() => statusOf(company, key)).toBe(status);
    await expectSelfCheckSound(opened, here);

    const { data } = must(await moved.call("GET", "/customers/:company"), 200).body;
    expect(data).toMatchObject([{ name: "Meera" }]);
    must(await write(), 201);

    const again = await shell(`npx company-ops adopt --from ${service.libsql.folder} --json`);
    expect(again.code).toBe(0);
    const { adopted, failed, complete } = JSON.parse(again.stdout);
    expect({ failed, complete }).toEqual({ failed: [], complete: true });
    expect(new Set(adopted.map(({ outcome }: { outcome: string }) => outcome))).toEqual(
      new Set(["unchanged"]),
    );
  },
);

test(
  "two databases that say the same are both refused, until the right one is named alone",
  PATIENT,
  async () => {
    const here = service.address;
    const [one, other] = [await openCompany({}, here), await openCompany({}, here)];
    const rows = [await rowOf(one), await rowOf(other)];
    const [own, forged] = rows.map(({ database_name: name }) => String(name)) as [string, string];
    for (const { id } of rows) {
      await clientAt(NEW).execute({ sql: "DELETE FROM api_keys WHERE company_id = ?", args: [Number(id)] });
      await clientAt(NEW).execute({ sql: "DELETE FROM companies WHERE id = ?", args: [Number(id)] });
    }
    await clientAt(forged).execute({ sql: "UPDATE company_copy SET slug = ?", args: [one.slug] });
    const done = await shell(`npx company-ops adopt --from ${service.libsql.folder} --json`);
    expect(done.code).toBe(1);
    expect(done.stderr).toContain("0 databases failed, 2 were refused");
    const { adopted, complete } = JSON.parse(done.stdout);
    expect(complete).toBe(false);
    const refused = adopted.filter(({ outcome }: { outcome: string }) => outcome === "refused");
    expect(refused.map(({ database }: { database: string }) => database).toSorted()).toEqual(
      [own, forged].toSorted(),
    );
    const named = await shell(`echo ${own} > names; npx company-ops adopt --from names`);
    expect(named).toMatchObject({ code: 0, stderr: "" });
    await expect.poll(() => statusOf(one, one.admin)).toBe(200);
    expect(await statusOf(other, other.admin)).toBe(401);
  },
);

test(
  "a revocation reaches the copy first, and what gives a right the control database first",
  PATIENT,
  async () => {
    const here = service.address;
    const company = await openCompany({}, here);
    const key = await company.key("customers:read");
    const own = clientAt(String((await rowOf(company)).database_name));
    const copies = async () => (await own.execute("SELECT client_id, revoked_at FROM key_copies")).rows;
    const refused: FaultRule = { kind: "reset_before", writes_only: true };
    await setFaults(NEW, [refused], here);
    const keys = "/settings/:company/keys";
    const revocation = await company.call("DELETE", `${keys}/${key.client_id}`);
    const creation = await company.call("POST", keys, {
      body: { name: "Never", type: "secret", scopes: [] },
    });
    await setFaults(NEW, [], here);
    expect([revocation.status, creation.status]).toEqual([503, 503]);
    const held = await copies();
    expect(held).toHaveLength(2);
    expect(held.find(({ client_id: id }) => id === key.client_id)?.revoked_at).toEqual(expect.any(Number));
    expect(await statusOf(company, key)).toBe(200);
    const database = `/platform/databases/${String((await rowOf(company)).database_name)}`;
    const { digest } = must(await platform("GET", database, undefined, here), 200).body.data;
    const adopted = await platform<{ keys_revoked: string[] }>("POST", `${database}/adopt`, { digest }, here);
    expect(adopted.body.data.keys_revoked).toEqual([key.client_id]);
    await expect.poll(() => statusOf(company, key)).toBe(401);
  },
);
