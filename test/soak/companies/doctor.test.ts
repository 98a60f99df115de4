import { spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { newThrowAwaySlug } from "#tenancy/companies/throw-away.ts";
import { findFreePort } from "../../../src/sandbox/database-server/free-port.ts";
import { sqldBinary } from "../../../src/sandbox/database-server/sqld-binary.ts";
import { clientOf, must, openCompany, platform, runCron } from "../../support/company.ts";
import { CLI, companyOps } from "../../support/company-ops.ts";
import { useFolder } from "../../support/folder.ts";
import { send } from "../../support/http.ts";
import { addressOf, startService } from "../../support/service.ts";
import {
  COMPANIES,
  doctor,
  end,
  environment,
  service,
  setDurability,
  throwAways,
  useOwnService,
  wrong,
} from "./doctor.ts";

const path = useFolder();
await useOwnService();

test("a sound deployment is a line for each check, and leaves nothing behind", async () => {
  const ran = await doctor();
  expect(wrong(ran)).toEqual([]);
  expect(ran.code).toBe(0);
  expect(ran.lines.filter((line) => !line.startsWith("ok  "))).toEqual(["--  companies: there is none yet"]);
  expect(ran.lines[0]).toMatch(/ answers, release 1\.0\.0, commit [0-9a-f]{12}(?:-dirty)?, built 2\d{3}-/);
  expect(ran.lines.map((line) => /^(?:ok|--) {2}([^:]+): ./.exec(line)?.[1])).toEqual([
    "host",
    "platform token",
    "control database",
    "control durability",
    "adoption",
    "rollout",
    "instance",
    "environment",
    "clocks",
    "PUBLIC_ORIGIN",
    "disk",
    "cron",
    "bucket",
    "queues",
    "companies",
    "opening a company",
    "company's database",
    "writing",
    "reading",
    "Idempotency-Key",
    "self-check",
    "cleaning up",
    "data port",
    "response size",
    "active namespaces",
    "admin port",
    "admin key",
  ]);
  expect(await throwAways()).toEqual([]);
  const { rows } = await clientOf("control", service).execute("SELECT name FROM abandoned_databases");
  expect(rows).toEqual([]);
});

test("as JSON it is one document of the same findings", async () => {
  const { code, lines } = await doctor({ PLATFORM_TOKEN: "another" }, "--json");
  expect(code).toBe(1);
  const { ok, findings } = JSON.parse(lines.join("\n"));
  expect(ok).toBe(false);
  expect(findings).toContainEqual({ check: "host", ok: true, found: expect.stringContaining(service.url) });
  expect(findings).toContainEqual({
    check: "platform token",
    ok: false,
    found: "the service refuses it",
    remedy: expect.stringContaining("PLATFORM_TOKEN"),
  });
});

test("a host that is down is reported, and the database server is checked all the same", async () => {
  const url = `http://127.0.0.1:${await findFreePort()}`;
  const ran = await doctor({ COMPANY_OPS_URL: url });
  expect(ran.code).toBe(1);
  expect(wrong(ran)).toEqual([
    `no  host: ${url} does not answer (ECONNREFUSED) : is it deployed, and --url its address?`,
  ]);
  expect(ran.lines).toContain("ok  admin key: accepted");
});

test("another service at the address is distinguished", async () => {
  const ran = await doctor({ COMPANY_OPS_URL: service.gatewaysUrl });
  expect(wrong(ran)[0]).toMatch(/^no {2}host: \/health of .* : is --url the address of this service\?$/);
});

test("commits of the control database that a power cut may lose are reported", async () => {
  await setDurability("relaxed");
  const ran = await doctor();
  expect(ran.code).toBe(1);
  expect(wrong(ran)).toEqual([
    "no  control durability: relaxed: a power cut loses the last commits : run `company-ops migrate`",
  ]);
  must(await platform("POST", "/platform/migrations", undefined, service), 200);
  expect(wrong(await doctor())).toEqual([]);
});

test("a control database that is not up to date is reported with what it lacks, and is not changed", async () => {
  const control = clientOf("control", service);
  const { rows } = await control.execute("SELECT * FROM migrations ORDER BY name DESC LIMIT 1");
  const {
    name = "",
    sha256 = "",
    schema_number: number = "",
    applied_at: at = "",
  } = rows[0] as unknown as Record<string, string>;
  await control.execute("DELETE FROM migrations WHERE name = ?", [name]);
  const ran = await doctor();
  expect(wrong(ran)).toEqual([
    `no  control database: migrations missing: 1 (${name}) : run \`company-ops migrate\``,
  ]);
  const ready = async () => (await send("GET", "/ready", { service })).status;
  await expect.poll(ready, { timeout: 10_000 }).toBe(503);
  expect((await control.execute("SELECT 1 FROM migrations WHERE name = ?", [name])).rows).toEqual([]);
  await control.execute("INSERT INTO migrations VALUES (?, ?, ?, ?)", [name, sha256, number, at]);
});

test("a wrong administration key, a wrong token and too few namespaces are reported", async () => {
  const ran = await doctor(
    { SQLD_ADMIN_TOKEN: "another", SQLD_DATABASE_TOKEN: "another" },
    "--sqld-active-namespaces",
    "1",
  );
  expect(ran.code).toBe(1);
  expect(wrong(ran)).toEqual([
    "no  response size: sqld refuses SQLD_DATABASE_TOKEN : is it of the key in --auth-jwt-key-file?",
    expect.stringMatching(
      /^no {2}active namespaces: 1 are too few .* --max-active-namespaces \d+ and ulimit -n /,
    ),
    "no  admin key: sqld refuses it : SQLD_ADMIN_TOKEN is what sqld has as LIBSQL_ADMIN_AUTH_KEY, as it stands",
  ]);
});

test("a service whose administration key is wrong opens no company", async () => {
  // Its control database is elsewhere, so that it starts.
  const variables = { SQLD_ADMIN_TOKEN: "another", SQLD_DATABASE_URL: "http://{namespace}.nowhere.invalid/" };
  const broken = await startService(inject("service").bundle, [], { variables });
  try {
    await runCron(addressOf(broken));
    const ran = await doctor({ COMPANY_OPS_URL: broken.url });
    expect(wrong(ran)).toEqual([
      expect.stringMatching(
        /^no {2}opening a company: it answered 500 internal_error, .* : are its variables of the database provider right/,
      ),
    ]);
    expect(ran.lines).toContain("ok  cleaning up: there is nothing to delete");
  } finally {
    await broken.stop();
  }
});

test("a database server that asks for nothing, and cuts answers off, is reported on both ports", async () => {
  const [data, admin] = [await findFreePort(), await findFreePort()];
  const parameters = [
    ...["--db-path", path("data"), "--no-welcome", "--enable-namespaces"],
    ...["--http-listen-addr", `127.0.0.1:${data}`, "--admin-listen-addr", `127.0.0.1:${admin}`],
    ...["--max-response-size", "1MB"],
  ];
  const server = spawn(sqldBinary(), parameters, { stdio: "ignore" });
  try {
    const adminUrl = `http://127.0.0.1:${admin}`;
    const made = async () =>
      (
        await fetch(`${adminUrl}/v1/namespaces/control/create`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: "{}",
        }).catch(() => undefined)
      )?.status;
    await expect.poll(made).toBe(200);
    const url = `http://localhost:${data}/dev/{namespace}/`;
    const ran = await doctor({ SQLD_DATABASE_URL: url, SQLD_ADMIN_URL: adminUrl });
    expect(wrong(ran)).toEqual([
      expect.stringMatching(
        /^no {2}data port: it answers 200 without a token: .* : start sqld with --auth-jwt-key-file/,
      ),
      expect.stringMatching(
        /^no {2}response size: an answer of 4 MB does not pass \(\d+\) : start sqld with --max-response-size 10MB/,
      ),
      expect.stringMatching(/^no {2}admin port: it answers 200 without a key: .* LIBSQL_ADMIN_AUTH_KEY/),
    ]);
  } finally {
    await end(server);
  }
});

test("one that is interrupted half way deletes its company first", async () => {
  const child = spawn(process.execPath, [CLI, "doctor"], { env: environment({}) });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += String(chunk);
    if (String(chunk).includes("ok  opening a company")) child.kill("SIGINT");
  });
  const [code] = await once(child, "exit");
  expect(code).toBe(1);
  expect(text).toContain("ok  cleaning up: the company is deleted, with its database");
  expect(await throwAways()).toEqual([]);
});

test("a throw-away company that is left behind goes after an hour; any other is never deleted", async () => {
  const [left, kept] = [newThrowAwaySlug(), `doctor-${"x".repeat(16)}`];
  for (const slug of [left, kept]) await openCompany({ slug }, service);
  const control = clientOf("control", service);
  const sweep = () => runCron(service);
  await sweep();
  expect(await throwAways()).toHaveLength(2);
  await control.execute("UPDATE companies SET created_at = created_at - 3600001");
  await sweep();
  await expect.poll(throwAways).toEqual([{ slug: kept }]);
  expect(await platform("DELETE", `${COMPANIES}/${kept}`, undefined, service)).toMatchObject({
    status: 409,
    body: { code: "conflict" },
  });
  expect((await platform("GET", `${COMPANIES}/${kept}`, undefined, service)).status).toBe(200);
  expect((await platform("DELETE", `${COMPANIES}/${left}`, undefined, service)).status).toBe(404);
});

test("the key pair and token of sqld are for their owner's eyes, and overwrite nothing", async () => {
  const out = path("keys");
  const make = () => companyOps(["database-key", "--out", out], { env: process.env });
  expect((await make()).stdout).toContain("--auth-jwt-key-file");
  for (const name of ["database-key.pem", "database-key.public.pem", "database-token"])
    expect((await stat(join(out, name))).mode & 0o777).toBe(0o600);
  expect(await make()).toMatchObject({ code: 1, stderr: expect.stringContaining("is not overwritten") });
});
