import { mkdir, writeFile } from "node:fs/promises";
import { beforeEach, expect, test } from "vitest";
import { databaseNames } from "#cli/database-names.ts";
import { companyOps } from "../support/company-ops.ts";
import { useFolder } from "../support/folder.ts";
import { useServer } from "../support/own-server.ts";

const COMPANIES = Array.from({ length: 20 }, (_, at) => `co-${at}`);

type Claim = {
  company: { slug: string; id: number } | null;
  reason: string | null;
  client_ids: string[];
  digest?: string | null;
  replaced_by?: string;
};

/** Stands for the service: what each database says of itself, and which are known by now. */
let claims: Map<string, Claim>;
let databases: { name: string; company: string | null }[] | null;
let known: Set<string>;
let ended: number;
let broken: string | undefined;
let [running, most] = [0, 0];

const none = { keys_added: [], keys_changed: [], keys_revoked: [], keys_refused: [] };

function answerTo(method: string | undefined, path: string): { status: number; data: unknown } {
  const [, name = "", action = ""] = /^\/platform\/databases\/([^/]+)\/?(\w*)$/.exec(path) ?? [];
  if (path === "/platform/adoption") {
    if (method === "POST") ended += 1;
    return { status: 200, data: { waiting: false, databases } };
  }
  if (path.startsWith("/platform/companies?"))
    return {
      status: 200,
      data: [...known].map((database) => ({ slug: database, status: "active", database })),
    };
  if (name === "") return { status: 200, data: {} };
  if (name === broken && action === "adopt") return { status: 500, data: null };
  const claim = claims.get(name) ?? { company: null, reason: null, client_ids: [] };
  if (action !== "adopt") return { status: 200, data: { database: name, replaced_by: null, ...claim } };
  const outcome = known.has(name) ? "unchanged" : "opened";
  known.add(name);
  return {
    status: 200,
    data: {
      database: name,
      company: claim.company?.slug ?? null,
      outcome,
      reason: null,
      replaced: null,
      ...none,
    },
  };
}

const path = useFolder();
const url = useServer((request, response) => {
  running += 1;
  most = Math.max(most, running);
  setTimeout(() => {
    running -= 1;
    const { status, data } = answerTo(request.method, request.url ?? "");
    const body =
      status === 200
        ? { data, paging: { next_cursor: null } }
        : { code: "internal_error", message: "broken", request_id: "req" };
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  }, 5);
});
for (const name of [...COMPANIES, "control"]) await mkdir(path("sqld/dbs", name), { recursive: true });
beforeEach(() => {
  claims = new Map(
    COMPANIES.map((name, at) => {
      const company = { slug: `company-${at}`, id: at + 1 };
      return [name, { company, reason: null, client_ids: [`ck_${at}`], digest: `of-${name}` }];
    }),
  );
  databases = null;
  known = new Set();
  ended = 0;
  broken = undefined;
  [running, most] = [0, 0];
});

function adopt(...words: string[]) {
  const env = { ...process.env, COMPANY_OPS_URL: url(), PLATFORM_TOKEN: "token", DATA_DIR: "nowhere" };
  return companyOps(["adopt", ...words], { env, cwd: path() });
}

const counted = (all: number) => Array.from({ length: all }, (_, at) => `${at + 1}/${all}`);

test("every database of sqld's folder is taken in, so many at a time; again, nothing is left to do", async () => {
  const ran = await adopt("--from", "sqld", "--at-once", "3");
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout).toContain("20 companies taken in, 0 changed, 0 as they were, 0 refused");
  expect(ran.stdout.match(/^\d+\/\d+/gm)).toEqual([...counted(21), ...counted(20)]);
  expect({ known: known.size, most, ended }).toEqual({ known: 20, most: 3, ended: 1 });
  const again = JSON.parse((await adopt("--from", "sqld", "--json")).stdout);
  expect(again).toMatchObject({ complete: true, failed: [], left: [{ database: "control", reason: null }] });
  expect(new Set(again.adopted.map((one: { outcome: string }) => one.outcome))).toEqual(
    new Set(["unchanged"]),
  );
});

test("a database that was replaced is left, and the one that has its place is found by its name", async () => {
  const company = { slug: "company-7", id: 8 };
  claims.set("co-7", { company: null, reason: null, client_ids: [], replaced_by: "co-later" });
  claims.set("co-later", { company, reason: null, client_ids: ["ck_7"], digest: "of-co-later" });
  const ran = await adopt("--from", "sqld", "--json");
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  const { complete, left } = JSON.parse(ran.stdout);
  expect(complete).toBe(true);
  expect(left).toContainEqual({ database: "co-7", reason: null, replaced_by: "co-later" });
  expect([known.has("co-7"), known.has("co-later"), known.size]).toEqual([false, true, 20]);
});

test.each([
  ["the company company-1", { company: { slug: "company-1", id: 99 }, client_ids: [] }],
  ["the id 2", { company: { slug: "another", id: 2 }, client_ids: [] }],
  ["the key ck_1", { company: { slug: "another", id: 99 }, client_ids: ["ck_1"] }],
])(
  "two databases that both say that they have %s are refused, and nothing is ended",
  async (said, forged) => {
    claims.set("co-7", { reason: null, ...forged });
    const ran = await adopt("--from", "sqld");
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain(`co-1 and co-7 both say that they have ${said}`);
    expect([known.has("co-1"), known.has("co-7"), known.size, ended]).toEqual([false, false, 18, 0]);
  },
);

test("one that fails stops no other and is named, and the rebuild is not ended", async () => {
  broken = "co-3";
  const ran = await adopt("--from", "sqld", "--json");
  expect(ran.code).toBe(1);
  expect(JSON.parse(ran.stdout)).toMatchObject({ complete: false, failed: [{ database: "co-3" }] });
  expect([known.size, ended]).toEqual([19, 0]);
});

test("a company whose copy is not believed is named, and the rebuild is not ended", async () => {
  const reason = "its copy has a key that no company could have, or too many";
  claims.set("co-3", { company: null, reason, client_ids: [], digest: null });
  const ran = await adopt("--from", "sqld");
  expect(ran.code).toBe(1);
  expect(ran.stdout).toContain(`co-3 is left as it is: ${reason}`);
  expect(ran.stderr).toContain("1 were not believed");
  expect([known.size, ended]).toEqual([19, 0]);
});

test("a run over some databases says so, and does not end the rebuild", async () => {
  known.add("co-5");
  await writeFile(path("names"), "co-1\n");
  const ran = await adopt("--from", "names");
  expect(ran.code).toBe(0);
  expect(ran.stdout).toContain("1 database of a company was not looked into, such as co-5");
  expect(ended).toBe(0);
});

test("a file of names and Turso's list are taken, and what is neither is refused", async () => {
  await writeFile(path("names"), "co-1\n\nco-2\n");
  expect((await adopt("--from", "names")).code).toBe(0);
  expect([[...known].toSorted(), ended]).toEqual([["co-1", "co-2"], 1]);
  const names = (from: string) => databaseNames({ url: url(), "platform-token": "token" }, from);
  await expect(names("turso")).rejects.toThrow("on sqld, which lists none");
  databases = [{ name: "co-5", company: null }];
  expect(await names("turso")).toEqual(["co-5"]);
  await writeFile(path("wrong"), "../control\n");
  await expect(names(path("wrong"))).rejects.toThrow("is no name of a database");
  await expect(names(path("nowhere"))).rejects.toThrow("is not there");
  await expect(names(path())).rejects.toThrow("is no data folder of sqld");
});
