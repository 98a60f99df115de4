import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { runCron } from "../../support/company.ts";
import { ran } from "../../support/company-ops.ts";
import { PLATFORM_TOKEN } from "../../support/service.ts";

const CLI = join(import.meta.dirname, "../../../src/cli/main.ts");
const MINUTE_MS = 60_000;
type Told = { text: string };
/** What stands between the doctor and a sound service says of one path what a sick one would. */
let tell: (path: string, told: Told) => Told;
let between: Server;

beforeAll(async () => {
  const { url } = inject("service");
  await runCron();
  between = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = new Headers();
    for (const name of ["authorization", "content-type", "idempotency-key", "x-client-id", "x-client-secret"])
      if (request.headers[name] !== undefined) headers.set(name, String(request.headers[name]));
    const { method = "GET", url: path = "/" } = request;
    const body = chunks.length > 0 ? Buffer.concat(chunks) : null;
    const answer = await fetch(new URL(path, url), { method, headers, body });
    const told = tell(path, { text: await answer.text() });
    const replayed = answer.headers.get("Idempotent-Replayed");
    response.writeHead(answer.status, {
      "Content-Type": "application/json",
      ...(replayed === null ? {} : { "Idempotent-Replayed": replayed }),
    });
    response.end(told.text);
  });
  await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  between.close();
  between.closeAllConnections();
});

/** The doctor's lines that say what is wrong. */
async function wrongLines(more: Record<string, string> = {}): Promise<string[]> {
  const { stdout } = await doctor(more);
  return stdout.split("\n").filter((line) => line.startsWith("no  "));
}

function doctor(more: Record<string, string> = {}, ...words: string[]) {
  const { SQLD_DATABASE_URL: _url, SQLD_ADMIN_URL: _admin, ...env } = process.env;
  const { port } = between.address() as AddressInfo;
  const variables = {
    COMPANY_OPS_URL: `http://127.0.0.1:${port}`,
    PLATFORM_TOKEN,
    DATA_DIR: "nowhere",
    ...more,
  };
  return ran(process.execPath, [CLI, "doctor", ...words], { env: { ...env, NO_COLOR: "1", ...variables } });
}

const replaced = (part: string, from: string, to: string) => (path: string, told: Told) =>
  path.includes(part) ? { ...told, text: told.text.replace(from, to) } : told;

test.each([
  ["now", 2 * MINUTE_MS, "service's", "ahead of"],
  ["now", -2 * MINUTE_MS, "service's", "behind"],
  ["database_now", 2 * MINUTE_MS, "database server's", "ahead of"],
])("a clock that is off is reported: %s by %d ms", async (member, skew, whose, side) => {
  tell = (path, told) => {
    if (path !== "/platform/readiness") return told;
    const answer = JSON.parse(told.text);
    answer.data[member] = new Date(Date.parse(answer.data[member]) + skew).toISOString();
    return { text: JSON.stringify(answer) };
  };
  expect(await wrongLines()).toEqual([
    expect.stringMatching(
      new RegExp(`^no {2}clocks: the ${whose} is 1[12]\\d s ${side} this machine's : set the clock`),
    ),
  ]);
});

test.each([
  [
    "/platform/readiness",
    '"environment":[]',
    '"environment":["FILES is missing: it must be a binding"]',
    "environment: FILES is missing",
  ],
  [
    "/platform/probes",
    '"database":"written"',
    '"database":"refused"',
    "disk: the control database takes no write",
  ],
  ["/platform/probes", '"bucket":true', '"bucket":false', "bucket: it keeps no file"],
  ["/platform/probes", '"messages","sent":true', '"messages","sent":false', "queues: not taken by messages"],
  ["/platform/readiness", '"commit":"', '"commit":"0', "PUBLIC_ORIGIN: http"],
])("%s with %s in another way is reported", async (path, from, to, line) => {
  tell = replaced(path, from, to);
  expect(await wrongLines()).toEqual([expect.stringContaining(`no  ${line}`)]);
});

test("a database provider that does not say how durable the control database is, is reported", async () => {
  tell = replaced("/platform/migrations", '"durability":"strong"', '"durability":"unknown"');
  expect(await wrongLines()).toEqual([
    expect.stringMatching(/^no {2}control durability: the database provider did not report it : are SQLD_/),
  ]);
});

test("a control database that was put back, and a company's database unknown to it, are reported", async () => {
  tell = replaced("/platform/adoption", '"waiting":false', '"waiting":true');
  expect(await wrongLines()).toEqual([
    expect.stringMatching(
      /^no {2}adoption: the control database was put back .* : run `company-ops adopt --from`/,
    ),
  ]);
  const name = `co-${"0".repeat(26)}`;
  const databases = `"databases":[{"name":"${name}","company":null},{"name":"other","company":null}]`;
  tell = replaced("/platform/adoption", '"databases":null', databases);
  expect(await wrongLines()).toEqual([expect.stringContaining("does not know 1 database of companies")]);
});

test("a company that was opened relaxed is reported", async () => {
  tell = replaced("/migrations", '"durability":"strong","token"', '"durability":"set","token"');
  expect(await wrongLines()).toEqual([
    expect.stringMatching(/^no {2}company's database: it was opened relaxed: a power cut loses/),
  ]);
});

test("a self-check that finds something broken is reported with its sentence", async () => {
  const broken = '"sound":false,"broken":[{"invariant":"every entry balances","rows":1,"ids":["7"]}]';
  tell = replaced("/platform/self-check/", '"sound":true,"broken":[]', broken);
  expect(await wrongLines()).toEqual([
    expect.stringMatching(
      /^no {2}self-check: broken: every entry balances : this is an error of the service/,
    ),
  ]);
});

test("a data port that answers 404 proves a wrong address, not that it is open", async () => {
  tell = (_path, told) => told;
  const { url } = inject("service");
  const [first] = await wrongLines({ SQLD_DATABASE_URL: `${url}/nowhere/{namespace}/` });
  expect(first).toMatch(
    /^no {2}data port: it answers 404: there is no namespace control, .* : is SQLD_DATABASE_URL right, /,
  );
});

test("a name that does not resolve is reported as that", async () => {
  tell = (_path, told) => told;
  const [first] = await wrongLines({ SQLD_DATABASE_URL: "https://{namespace}.db.invalid/" });
  expect(first).toMatch(/^no {2}data port: the name control\.db\.invalid does not resolve \(ENOTFOUND\) : /);
});
