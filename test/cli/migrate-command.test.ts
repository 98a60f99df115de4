import { spawn } from "node:child_process";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { beforeEach, expect, test } from "vitest";
import { CLI, companyOps as run } from "../support/company-ops.ts";
import { useServer } from "../support/own-server.ts";

const PAGE = 100;

/** Stands for the service: which companies are behind, in pages, and what each migration answers. */
let behind: string[];
let asked: string[];
let rollout: { state: string; canaries: string[] };
let pages: number;
let [running, most] = [0, 0];
let answer: (slug: string, response: ServerResponse) => void;

let missing: string[];
const url = useServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://service");
  const slug = /^\/platform\/companies\/([^/]+)\/migrations$/.exec(pathname)?.[1];
  if (slug !== undefined) {
    asked.push(slug);
    running += 1;
    most = Math.max(most, running);
    response.once("close", () => {
      running -= 1;
    });
    answer(slug, response);
  } else if (request.method === "POST") send(response, 200, { data: migrated("control", []) });
  else if (pathname === "/platform/rollout") send(response, 200, { data: rollout });
  else if (pathname === "/platform/migrations") send(response, 200, { data: { missing } });
  else {
    pages += 1;
    const from = Number(searchParams.get("cursor") ?? 0);
    const data = behind.slice(from, from + PAGE).map((name) => ({ slug: name }));
    const next = from + PAGE < behind.length ? String(from + PAGE) : null;
    send(response, 200, { data, paging: { next_cursor: next } });
  }
});
beforeEach(() => {
  behind = Array.from({ length: 250 }, (_, at) => `co-${at}`);
  asked = [];
  rollout = { state: "open", canaries: [] };
  missing = [];
  pages = 0;
  [running, most] = [0, 0];
  answer = apply;
});

const environment = () => ({
  ...process.env,
  COMPANY_OPS_URL: url(),
  PLATFORM_TOKEN: "token",
  DATA_DIR: "nowhere",
});
const migrated = (id: string, applied: string[]) => ({ id, applied, durability: "strong", token: "kept" });

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

function apply(slug: string, response: ServerResponse): void {
  setTimeout(() => {
    behind = behind.filter((one) => one !== slug);
    send(response, 200, { data: migrated(slug, ["02_core"]) });
  }, 5);
}

function companyOps(...words: string[]) {
  return run(words, { env: environment() });
}

test("only the canaries are brought up to date before the rollout is open, and none once it is stopped", async () => {
  rollout = { state: "canary", canaries: ["co-7"] };
  const some = await companyOps("migrate");
  expect(some.code).toBe(0);
  expect(some.stdout.trimEnd().split("\n").at(-1)).toBe(
    "1 are up to date; 249 companies were left out: there is a canary, until company-ops rollout open",
  );
  expect(asked).toEqual(["co-7"]);
  expect(JSON.parse((await companyOps("migrate", "--json")).stdout)).toMatchObject({ left_out: 249 });
  rollout = { state: "stopped", canaries: ["co-7"] };
  const { code, stderr } = await companyOps("migrate");
  expect([code, stderr]).toEqual([1, expect.stringContaining("The rollout is stopped")]);
  expect(asked).toEqual(["co-7"]);
});

test("all companies that are behind are brought up to date, so many at a time, with a line for each", async () => {
  const { code, stdout } = await companyOps("migrate", "--at-once", "7");
  expect(code).toBe(0);
  expect(pages).toBe(3);
  expect(new Set(asked).size).toBe(250);
  expect(asked).toHaveLength(250);
  expect(most).toBeGreaterThan(3);
  expect(most).toBeLessThanOrEqual(7);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.slice(0, 2)).toEqual(["control: up to date", "250 companies to bring up to date"]);
  expect(lines.at(-1)).toBe("Companies are up to date");
  expect(lines).toHaveLength(253);
  expect(lines[2]).toMatch(/^1\/250 co-\d+: 02_core$/);
});

test("a run after one that was killed asks only for what is left", async () => {
  const child = spawn(process.execPath, [CLI, "migrate"], { env: environment(), stdio: "ignore" });
  const ended = once(child, "exit");
  answer = (slug, response) => {
    apply(slug, response);
    if (asked.length === 100) child.kill("SIGKILL");
  };
  await ended;
  await expect.poll(() => running, { timeout: 20_000 }).toBe(0);
  const left = [...behind];
  expect(left.length).toBeGreaterThan(100);
  expect(left.length).toBeLessThan(160);
  asked = [];
  expect((await companyOps("migrate")).code).toBe(0);
  expect(asked.toSorted()).toEqual(left.toSorted());
});

test("a company that fails stops no other, is named at the end, and makes the exit code 1", async () => {
  answer = (slug, response) => {
    if (slug !== "co-3" && slug !== "co-77") return apply(slug, response);
    send(response, 500, { code: "internal_error", message: "Something", request_id: `of-${slug}` });
  };
  const { code, stderr } = await companyOps("migrate");
  expect(code).toBe(1);
  expect(behind).toEqual(["co-3", "co-77"]);
  expect(stderr).toContain("2 of 250 companies failed: co-");
  expect(stderr).toContain("). Remove the cause, run company-ops rollout open, then this again");
  for (const slug of behind) expect(stderr).toContain(`${slug} (internal_error: Something (of-${slug}))`);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  const again = await companyOps("migrate", "--json");
  expect(again.code).toBe(1);
  const said = JSON.parse(again.stdout);
  expect(said).toMatchObject({ control: { id: "control" }, migrated: [] });
  // Several are migrated at once, so they fail in any order.
  expect(new Map(said.failed.map(({ slug, error }: Record<string, string>) => [slug, error]))).toEqual(
    new Map(["co-3", "co-77"].map((slug) => [slug, `internal_error: Something (of-${slug})`])),
  );
});

test("after a canary that failed, the cure opens no other company", async () => {
  [rollout, behind] = [{ state: "canary", canaries: ["co-7", "co-8"] }, ["co-7", "co-8"]];
  answer = (_, response) => send(response, 409, { code: "conflict", message: "Other", request_id: "r" });
  const { code, stderr } = await companyOps("migrate");
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("run company-ops rollout canary co-7 co-8, then"),
  ]);
});

test("an empty control database is begun only for a new service: its files may be gone", async () => {
  missing = ["01_core", "02_companies"];
  const { code, stderr } = await companyOps("migrate");
  expect([code, stderr]).toEqual([1, expect.stringContaining("migrate --first")]);
  expect(stderr).toContain("its files are gone: restore it");
  expect([pages, asked]).toEqual([0, []]);
  behind = ["co-1"];
  expect((await companyOps("migrate", "--first")).code).toBe(0);
});

test("what may pass is tried once more", async () => {
  behind = ["co-1"];
  answer = (slug, response) => {
    if (asked.length > 1) return apply(slug, response);
    send(response, 503, { code: "unavailable", message: "Later", request_id: "r" });
  };
  expect((await companyOps("migrate")).code).toBe(0);
  expect(asked).toEqual(["co-1", "co-1"]);
});

test("--at-once of too many is refused before anything is called", async () => {
  const { code, stderr } = await companyOps("migrate", "--at-once", "65");
  expect(code).toBe(1);
  expect(stderr).toContain("--at-once must be a whole number from 1 to 64");
  expect(pages).toBe(0);
});
