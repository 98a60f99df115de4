import { afterAll, expect, inject, test } from "vitest";
import { findFreePort } from "../../src/sandbox/database-server/free-port.ts";
import {
  clientOf,
  credentials,
  must,
  openCompany,
  platform,
  platformRead,
  runCron,
  setFaults,
} from "../support/company.ts";
import { useFolder } from "../support/folder.ts";
import { type ServiceAddress, send } from "../support/http.ts";
import { ownService } from "../support/own-service.ts";
import { bindingsFor } from "../support/service.ts";
import { startWorker } from "../support/worker.ts";

type Readiness = {
  ready: boolean;
  faults: string[];
  build: { commit: string | null; date: string };
  public_origin: string;
  now: string;
  database_now: string;
  heartbeats: { name: string; at: string }[];
};
type Access = {
  works: boolean;
  fault: string | null;
  encrypted: { column: string; tried: number; unopened: number; keys: string[] }[];
};

const OTHER_KEY = Buffer.alloc(32, 9).toString("base64");
const QUEUES = ["messages", "housekeeping", "deliveries", "clock", "notifications"];

/** What the log of that service says. */
const lines: string[] = [];
const linesOf = (fault: string) =>
  lines
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))
    .filter((line) => line.fault === fault);

const shared = inject("service");
const company = await openCompany();
const port = await findFreePort();
const libsql = { url: shared.libsqlUrl, adminUrl: shared.libsqlAdminUrl, token: shared.libsqlToken };
const worker = await startWorker(
  shared.bundle,
  useFolder()("state"),
  port,
  { ...bindingsFor(libsql), MASTER_KEY: OTHER_KEY },
  { without: [], distant: false, inspected: false, listen: (line: string) => lines.push(line) },
);
await worker.ready;
afterAll(() => worker.dispose());
/** The same databases, under another master key. */
const wrong = { ...shared, url: `http://127.0.0.1:${port}` };

const readiness = (service?: ServiceAddress) => platformRead<Readiness>("/platform/readiness", service);
const rightKeyId = async () =>
  (await platformRead<{ current_key_id: string }>("/platform/key-rotation")).current_key_id;
/** One with databases of its own, whose control database is broken on purpose. */
const { address: sick } = await ownService();

const access = (slug: string, service?: ServiceAddress) =>
  platformRead<Access>(`/platform/companies/${slug}/access`, service);

test("an instance that can serve is ready, and says no more without the operator's token", async () => {
  expect(await send("GET", "/ready")).toMatchObject({ status: 200, body: { status: "ready" } });
  const { ready, faults, build, now, database_now: databaseNow } = await readiness();
  expect({ ready, faults }).toEqual({ ready: true, faults: [] });
  expect(build.commit).toMatch(/^[0-9a-f]{40}(?:-dirty)?$/);
  expect(Math.abs(Date.parse(now) - Date.parse(databaseNow))).toBeLessThan(5_000);
  expect((await send("GET", "/health")).body).toEqual({ status: "ok", version: "1.0.0", build });
});

test("an instance with a wrong master key, whose every call is 503 no_key_opens, is not ready", async () => {
  const headers = credentials(company.admin);
  const call = await send("GET", `/v1/customers/${company.slug}`, { headers, service: wrong });
  expect(call).toMatchObject({ status: 503, body: { code: "no_key_opens" } });
  expect(call.headers.get("Retry-After")).toBe("60");
  expect(call.text).not.toMatch(/token|master/i);
  const needed = await rightKeyId();
  expect(linesOf("no_key_opens")).toEqual([
    expect.objectContaining({
      fault: "no_key_opens",
      subject: company.slug,
      request_id: call.headers.get("X-Request-Id"),
      error: `The encrypted database_token needs the master key ${needed}`,
    }),
  ]);
  expect(await send("GET", "/ready", { service: wrong })).toMatchObject({
    status: 503,
    body: { status: "not_ready" },
  });
  expect(await readiness(wrong)).toMatchObject({ ready: false, faults: ["no_key_opens"] });
});

test("under a wrong master key no company is opened, for the right one would not open it", async () => {
  const body = { slug: "under-a-wrong-key", name: "Wrong", country: "IN", state: "Karnataka" };
  const refused = await platform("POST", "/platform/companies", body, wrong);
  expect(refused).toMatchObject({ status: 503, body: { code: "no_key_opens" } });
  must(await platform("GET", "/platform/companies/under-a-wrong-key"), 404);
});

test("a company is opened as its calls do: a wrong master key is found, with the id of the right one", async () => {
  const found = await access(company.slug, wrong);
  const keyId = await rightKeyId();
  expect(found).toMatchObject({
    works: false,
    fault: "no_key_opens",
    encrypted: [{ column: "companies.database_token", tried: 1, unopened: 1, keys: [keyId] }],
  });
});

test("a value of each kind that no master key opens is found, and what opens is counted", async () => {
  const secret = { turnstile_secret: "1x0000000000000000000000000000000AA" };
  must(await company.call("PATCH", "/settings/:company/lead-settings", { body: secret }), 200);
  const column = "lead_settings.turnstile_secret";
  const ofColumn = async () => (await access(company.slug)).encrypted.find((one) => one.column === column);
  expect(await ofColumn()).toEqual({ column, tried: 1, unopened: 0, keys: [] });
  await company.database().execute("UPDATE lead_settings SET turnstile_secret = 'v2.0123456789ab.AAAA'");
  expect(await ofColumn()).toEqual({ column, tried: 1, unopened: 1, keys: ["0123456789ab"] });
});

test("a company whose database lacks a migration, or does not answer, is found", async () => {
  const other = await openCompany();
  await other.database().execute("DELETE FROM migrations WHERE name LIKE '26_%'");
  expect(await access(other.slug)).toMatchObject({ works: false, fault: "not_migrated" });
  await other.faults({ kind: "reset_before" });
  expect(await access(other.slug)).toMatchObject({ works: false, fault: "unavailable" });
  await other.faults();
});

test("a probe says that the server of the control database cannot write its files, or that it writes nothing", async () => {
  const written = async () => {
    const probed = await platform<{ database: string }>("POST", "/platform/probes", undefined, sick);
    return must(probed, 200).body.data.database;
  };
  expect(await written()).toBe("written");
  for (const [code, found] of [
    ["SQLITE_FULL", "files"],
    ["SQLITE_IOERR", "files"],
    ["TRANSACTION_BUSY", "refused"],
  ]) {
    await setFaults("control", [{ kind: "error", code: code ?? "", writes_only: true }], sick);
    expect(await written(), code).toBe(found);
  }
  await setFaults("control", [], sick);
  expect(await written()).toBe("written");
  const { rows } = await clientOf("control", sick).execute("SELECT 1 FROM heartbeats WHERE name = 'probes'");
  expect(rows).toEqual([]);
});

test("the cron and the consumer of each queue leave a heartbeat, and the bucket keeps a file", async () => {
  const begun = Date.now();
  const probed = must(await platform("POST", "/platform/probes"), 200).body.data;
  expect(probed).toEqual({
    database: "written",
    bucket: true,
    queues: QUEUES.map((name) => ({ name, sent: true })),
  });
  await runCron();
  const fresh = async () =>
    (await readiness()).heartbeats
      .filter(({ at }) => Date.parse(at) >= begun - 1_000)
      .map(({ name }) => name)
      .sort();
  await expect.poll(fresh).toEqual([...QUEUES, "cron"].sort());
});
