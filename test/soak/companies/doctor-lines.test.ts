import { beforeEach, expect, inject, test } from "vitest";
import { runCron } from "../../support/company.ts";
import { companyOps } from "../../support/company-ops.ts";
import { useServer } from "../../support/own-server.ts";
import { PLATFORM_TOKEN } from "../../support/service.ts";

const MINUTE_MS = 60_000;
const PASSED = ["authorization", "content-type", "idempotency-key", "x-client-id", "x-client-secret"];

/** What a sick service says of a path in place of what the sound one said. */
type Sick = [path: string, from: string | RegExp, to: string | ((found: string) => string)];
let sick: readonly Sick[] = [];

/** Stands between the doctor and a sound service. */
const between = useServer(async (request, response) => {
  const chunks: Buffer[] = await Array.fromAsync(request);
  const headers = new Headers();
  for (const name of PASSED)
    if (request.headers[name] !== undefined) headers.set(name, String(request.headers[name]));
  const { method = "GET", url: path = "/" } = request;
  const body = chunks.length > 0 ? Buffer.concat(chunks) : null;
  const answer = await fetch(new URL(path, inject("service").url), { method, headers, body });
  const told = sick
    .filter(([part]) => path.includes(part))
    .reduce((text, [, from, to]) => text.replace(from, to as string), await answer.text());
  const replayed = answer.headers.get("Idempotent-Replayed");
  response.writeHead(answer.status, {
    "Content-Type": "application/json",
    ...(replayed === null ? {} : { "Idempotent-Replayed": replayed }),
  });
  response.end(told);
});
// The doctor misses a cron that has not run for a minute and a half.
beforeEach(() => runCron());

/** The doctor's lines that say what is wrong. */
async function wrongLines(more: Record<string, string> = {}): Promise<string[]> {
  const { SQLD_DATABASE_URL: _url, SQLD_ADMIN_URL: _admin, ...env } = process.env;
  const variables = { COMPANY_OPS_URL: between(), PLATFORM_TOKEN, DATA_DIR: "nowhere", NO_COLOR: "1" };
  const { stdout } = await companyOps(["doctor"], { env: { ...env, ...variables, ...more } });
  // Tests beside this one block databases of their companies.
  return stdout.split("\n").filter((line) => /^no {2}(?!companies:|blocked writes:)/.test(line));
}

const off = (member: string, skew: number): Sick => [
  "/platform/readiness",
  new RegExp(`(?<="${member}":")[^"]+`),
  (time) => new Date(Date.parse(time) + skew).toISOString(),
];
const DATABASES = `[{"name":"co-${"0".repeat(26)}","company":null},{"name":"other","company":null}]`;

test.each<[string, Sick[], RegExp[]]>([
  [
    "each part of it",
    [
      off("now", 2 * MINUTE_MS),
      // A database provider that does not say how durable the control database is.
      ["/platform/migrations", '"durability":"strong"', '"durability":"unknown"'],
      ["/platform/adoption", '"waiting":false', '"waiting":true'],
      ["/platform/readiness", '"environment":[]', '"environment":["FILES is missing: it must be a binding"]'],
      ["/platform/readiness", '"commit":"', '"commit":"0'],
      ["/platform/probes", '"bucket":true', '"bucket":false'],
      ["/platform/probes", '"messages","sent":true', '"messages","sent":false'],
      // A company that was opened relaxed.
      ["/migrations", '"durability":"strong","token"', '"durability":"set","token"'],
      [
        "/platform/self-check/",
        '"sound":true,"broken":[]',
        '"sound":false,"broken":[{"invariant":"every entry balances","rows":1,"ids":["7"]}]',
      ],
    ],
    [
      /^no {2}control durability: the database provider did not report it : are SQLD_/,
      /^no {2}adoption: the control database was put back .* : run `company-ops adopt --from`/,
      /^no {2}environment: FILES is missing/,
      /^no {2}clocks: the service's is 1[12]\d s ahead of this machine's : set the clock/,
      /^no {2}PUBLIC_ORIGIN: http/,
      /^no {2}bucket: it keeps no file/,
      /^no {2}queues: not taken by messages/,
      /^no {2}company's database: it was opened relaxed: a power cut loses/,
      /^no {2}self-check: broken: every entry balances : this is an error of the service/,
    ],
  ],
  [
    "a clock that is behind, and a company's database that the control database does not know",
    [off("now", -2 * MINUTE_MS), ["/platform/adoption", '"databases":null', `"databases":${DATABASES}`]],
    [
      /^no {2}adoption: .*does not know 1 database of companies/,
      /^no {2}clocks: the service's is 1[12]\d s behind this machine's : set the clock/,
    ],
  ],
  [
    "a database server whose clock is ahead, and that takes no write",
    [
      off("database_now", 2 * MINUTE_MS),
      ["/platform/probes", '"database":"written"', '"database":"refused"'],
    ],
    [
      /^no {2}clocks: the database server's is 1[12]\d s ahead of this machine's : set the clock/,
      /^no {2}disk: the control database takes no write/,
    ],
  ],
])("what a service says that is sick is reported line by line: %s", async (_, said, lines) => {
  sick = said;
  expect(await wrongLines()).toEqual(lines.map((line) => expect.stringMatching(line)));
});

test.each([
  [
    "answers 404 proves a wrong address, not that it is open",
    () => `${inject("service").url}/nowhere/{namespace}/`,
    /it answers 404: there is no namespace control, .* : is SQLD_DATABASE_URL right, /,
  ],
  [
    "has a name that does not resolve is reported as that",
    () => "https://{namespace}.db.invalid/",
    /the name control\.db\.invalid does not resolve \(ENOTFOUND\) : /,
  ],
])("a data port that %s", async (_, url, told) => {
  sick = [];
  const [first] = await wrongLines({ SQLD_DATABASE_URL: url() });
  expect(first).toMatch(new RegExp(`^no {2}data port: ${told.source}`));
});
