import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { CLI, companyOps as run } from "../../support/company-ops.ts";
import { useFolder } from "../../support/folder.ts";
import { useServer } from "../../support/own-server.ts";
import { refusalOf } from "../../support/refusal.ts";

/** Stands for the service: what it was asked, and what it answers. */
let calls: { line: string; headers: Record<string, unknown> }[] = [];
let answer: (line: string) => { status: number; body: unknown };
const url = useServer((request, response) => {
  const line = `${request.method} ${request.url}`;
  calls.push({ line, headers: request.headers });
  const { status, body } = answer(line);
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
});
const path = useFolder();
const variables = () => ({ COMPANY_OPS_URL: url(), PLATFORM_TOKEN: "token", DATA_DIR: path() });

beforeEach(() => {
  calls = [];
  answer = () => ({ status: 200, body: { data: [], paging: { next_cursor: null } } });
});
function companyOps(words: string[], more: NodeJS.ProcessEnv = {}) {
  const { NO_COLOR: _, COMPANY_OPS_CLIENT_ID: _id, TEST: _test, CI: _ci, ...rest } = process.env;
  return run(words, { env: { ...rest, ...variables(), ...more } });
}

test.each([
  ["key create --company a --name T --scope customers:read", "--scope is no option", "--scopes meant"],
  ["company list --ulr https://prod.example.com", "--ulr is no option", "is --url meant"],
  ["company list --ulr=https://prod.example.com", "--ulr=https://prod.example.com is no option", "is --url"],
  ["key list --compny x", "--compny is no option", "is --company meant"],
  ["company list -j", "-j is no option", "is --json meant"],
  ["company list --no-url", "--no-url is no option", "is --url meant"],
  ["company lst", "lst is no command", "is list meant"],
  ["bogus", "bogus is no command: there are company, key, migrate, ", "database-key"],
  ["company list acme", '"acme" is one word too many', ""],
  ["--json company list", "--json stands before the command", "options stand after it"],
  ["company list --url", "--url needs a value", ""],
  ["key create --name --scopes storefront", "--name needs a value", ""],
  [
    "key create --company a --client-id i --client-secret s --name T",
    "--scopes is missing",
    "customers:read",
  ],
  ["doctor --sqld-active-namespaces abc", "--sqld-active-namespaces must be a whole number", ""],
  ["doctor --sqld-url http://localhost:8080/", "has no {namespace}", "https://{namespace}.db.example.com/"],
  [
    "doctor --sqld-url {namespace}.db.example.com",
    "SQLD_DATABASE_URL control.db.example.com has no scheme",
    "",
  ],
  ["doctor --sqld-admin-url localhost:8081", "has no scheme", "http://localhost:8081"],
  ["company list --url localhost:8900", "--url localhost:8900 has no scheme", "http://localhost:8900"],
  ["migrate --url api.example.com", "has no scheme", "https://"],
])("%s is refused before anything is called", async (words, what, remedy) => {
  const line = await refusalOf(words.split(" "), variables());
  expect(line).toContain(what);
  expect(line).toContain(remedy);
  expect(calls).toEqual([]);
});

test("a refusal is one line, which names the help of its command", async () => {
  expect(await companyOps(["company", "list", "acme"])).toEqual({
    code: 1,
    stdout: "",
    stderr: '"acme" is one word too many; see company-ops company list --help\n',
  });
});

test("a value that begins with dashes is a value, and so is one after =", async () => {
  const { code } = await companyOps(["company", "list", "--platform-token", "--abc", `--url=${url()}`]);
  expect(code).toBe(0);
  expect(calls[0]?.headers).toMatchObject({ authorization: "Bearer --abc" });
});

test("the sandbox's key is the one of the company that is meant", async () => {
  const [own, other] = ["own", "other"].map((name) => ({ client_id: name, client_secret: `of-${name}` }));
  const left = { base_url: url(), company: "own", secret_key: own, admin_keys: { own, other } };
  writeFileSync(path("credentials.json"), JSON.stringify(left));
  await companyOps(["key", "list", "--company", "other"]);
  expect(calls).toMatchObject([
    {
      line: "GET /v1/settings/other/keys",
      headers: { "x-client-id": "other", "x-client-secret": "of-other" },
    },
  ]);
  const stranger = await companyOps(["key", "list", "--company", "third"]);
  expect(stranger.stderr).toContain("This key belongs to own: give --client-id and --client-secret of third");
  expect(calls).toHaveLength(1);
  rmSync(path("credentials.json"));
});

test.each(["rotate", "revoke"])("key %s of one that is not there speaks of the key's id", async (verb) => {
  answer = () => ({ status: 404, body: { code: "not_found", message: "No such record", request_id: "r" } });
  const words = `key ${verb} ck_nosuch --company a --client-id i --client-secret s`;
  const { stderr } = await companyOps(words.split(" "));
  expect(stderr).toContain("not_found: No such record (r): check the key's id");
  expect(stderr).not.toContain("--url");
});

test.each(["company create acme --name Acme", "company list"])(
  "before migrate, %s says so",
  async (words) => {
    answer = (line) =>
      line === "GET /platform/migrations"
        ? { status: 200, body: { data: { missing: ["0001_first", "0002_second"] } } }
        : { status: 500, body: { code: "internal_error", message: "Something", request_id: "r" } };
    const { code, stderr } = await companyOps(words.split(" "));
    expect(code).toBe(1);
    expect(stderr).toContain("The control database lacks 2 migrations: run company-ops migrate;");
  },
);

test.each([
  ["--help", "USAGE company-ops company|key|"],
  [
    "company --help",
    "USAGE company-ops company create|list|show|suspend|resume|close|use-spare|remove-spare|key",
  ],
  ["company create -h", "USAGE company-ops company create [OPTIONS] <SLUG>"],
  ["backup --help", "USAGE company-ops backup [OPTIONS] [SLUG] [FILE]"],
  ["doctor --help", "USAGE company-ops doctor [OPTIONS]"],
])("the usage of %s is what one types, without colours in a pipe", async (words, usage) => {
  const { code, stdout } = await companyOps(words.split(" "));
  expect(code).toBe(0);
  expect(stdout).toContain(usage);
  expect(stdout).not.toContain("\u001b");
});

test("a reader that has had enough ends it quietly", async () => {
  const companies = Array.from({ length: 5_000 }, () => ({
    slug: "a",
    name: "x".repeat(200),
    status: "active",
  }));
  answer = () => ({ status: 200, body: { data: companies, paging: { next_cursor: null } } });
  const env = { ...process.env, ...variables() };
  const child = spawn(process.execPath, [CLI, "company", "list"], { env });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += String(chunk);
  });
  child.stdout.once("data", () => child.stdout.destroy());
  await once(child, "close");
  expect(errors).toBe("");
});

test("an older Node gets a line that says which one it takes", async () => {
  const pretend = path("pretend.cjs");
  writeFileSync(pretend, `Object.defineProperty(process.versions, "node", { value: "20.19.2" });`);
  const { code, stderr } = await companyOps(["--help"], { NODE_OPTIONS: `--require ${pretend}` });
  expect(code).toBe(1);
  expect(stderr).toContain("This project runs on Node 24 or newer, and this is Node 20.19.2");
});
