import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { must, openCompany, platform, runCron, setFaults, type TestCompany } from "../../support/company.ts";
import { CLI, companyOps, inShell, shellBlocks } from "../../support/company-ops.ts";
import { useFolder } from "../../support/folder.ts";
import { operatorOf } from "../../support/operator.ts";
import { ownService } from "../../support/own-service.ts";
import { refusalOf } from "../../support/refusal.ts";

const COMPANIES = 12;
const WRONG_KEY = Buffer.alloc(32, 9).toString("base64");

const path = useFolder();

// A service of its own: the commands go through every company.
const service = await ownService();
const companies: TestCompany[] = [];
for (let at = 0; at < COMPANIES; at += 1) {
  const slug = at === 1 ? { slug: "demo-traders" } : {};
  companies.push(await openCompany(slug, service.address));
}
const [closed] = companies.splice(0, 1);
must(await platform("POST", `/platform/companies/${closed?.slug}/close`, undefined, service.address), 200);

const slugs = () => companies.map(({ slug }) => slug).toSorted();
const run = (words: string[], more: NodeJS.ProcessEnv = {}) =>
  companyOps(words, { env: { ...operatorOf(service.address), ...more } });
const json = async (words: string[]) => JSON.parse((await run([...words, "--json"])).stdout);

/** Runs a command until it has written so many lines of progress, and kills it there. */
async function killAt(line: RegExp, words: string[]): Promise<void> {
  const child = spawn(process.execPath, [CLI, ...words], { env: operatorOf(service.address) });
  const ended = once(child, "exit");
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += String(chunk);
    if (line.test(text)) child.kill("SIGKILL");
  });
  await ended;
  expect(text).toMatch(line);
}

test("all companies but closed ones are backed up into a folder; a run after a kill writes the rest", async () => {
  const all = path("all");
  await killAt(/^3\/11 /m, ["backup", "--all", all, "--at-once", "2"]);
  const before = (await readdir(all)).filter((name) => name.endsWith(".backup"));
  expect(before.length).toBeGreaterThanOrEqual(4);
  expect(before.length).toBeLessThan(COMPANIES);
  const times = new Map<string, number>();
  for (const name of before) times.set(name, (await stat(join(all, name))).mtimeMs);
  const again = await run(["backup", "--all", all]);
  expect(again).toMatchObject({ code: 0, stderr: "" });
  expect(again.stdout).toContain("The control database is there already");
  const names = (await readdir(all)).filter((name) => name.endsWith(".backup")).toSorted();
  expect(names).toEqual(["_control.backup", ...slugs().map((slug) => `${slug}.backup`)].toSorted());
  for (const [name, time] of times) expect((await stat(join(all, name))).mtimeMs).toBe(time);
  expect((await stat(all)).mode & 0o777).toBe(0o700);
});

test("every backup of the folder is verified; what was found sound is left out, until it is another file", async () => {
  const all = path("all");
  const first = await run(["verify", "--all", all]);
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout).toContain(`${COMPANIES} sound`);
  expect(await json(["verify", "--all", all])).toMatchObject({
    verified: [],
    left_out: COMPANIES,
    failed: [],
  });
  expect((await run(["verify", "--all", all])).stdout).toContain(
    `0 sound, ${COMPANIES} were found sound before`,
  );
  const { verified, left_out: none } = await json(["verify", "--all", all, "--again-after", "0"]);
  expect([verified.length, none]).toEqual([COMPANIES, 0]);
  const [slug = ""] = slugs();
  const file = join(all, `${slug}.backup`);
  await truncate(file, (await stat(file)).size - 40);
  const damaged = await run(["verify", "--all", all]);
  expect(damaged.code).toBe(1);
  expect(damaged.stdout).toContain("1 of 1 are not sound");
  await rm(file);
  expect((await run(["backup", "--all", all])).stdout).toContain("1 company to back up");
  expect(await json(["verify", "--all", all])).toMatchObject({
    verified: [{ file, ok: true }],
    left_out: COMPANIES - 1,
  });
});

test("a backup that no key at hand opens is refused: to make it, to call it sound, and to restore it", async () => {
  const [slug = ""] = slugs();
  const wrong = { MASTER_KEY: WRONG_KEY, SQLD_DATABASE_TOKEN: service.libsql.token };
  const target = path("wrong");
  for (const words of [
    ["backup", slug, `${target}.backup`],
    ["backup", "--control", `${target}.backup`],
    ["backup", "--all", target],
  ]) {
    const { code, stderr } = await run(words, wrong);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^Nothing was done\. The service encrypts with the master key [0-9a-f]{12}, which is needed/,
    );
  }
  expect(await readdir(path())).toEqual(["all"]);
  const control = path("all", "_control.backup");
  const verified = await run(["verify", control], wrong);
  expect(verified.code).toBe(1);
  expect(verified.stdout).toMatch(/Tokens of companies are encrypted with the master key [0-9a-f]{12}/);
  const all = await run(["verify", "--all", path("all")], wrong);
  expect(all.code).toBe(1);
  expect(all.stdout).toMatch(/Tokens of companies are encrypted with the master key [0-9a-f]{12}/);
  expect(await json(["verify", "--all", path("all")])).toMatchObject({ left_out: COMPANIES });
  const restored = await run(["restore", control, "--control"], wrong);
  expect(restored).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Nothing was done\. Tokens of /),
  });
});

test("all companies are checked; a run after a kill leaves out what was found sound", async () => {
  await killAt(/^4\/11 /m, ["check", "--all", "--at-once", "2"]);
  const { checked, left_out: leftOut, failed } = await json(["check", "--all"]);
  expect(failed).toEqual([]);
  expect(leftOut).toBeGreaterThanOrEqual(4);
  expect(checked.length + leftOut).toBe(COMPANIES - 1);
  expect(await json(["check", "--all"])).toMatchObject({ checked: [], left_out: COMPANIES - 1 });
  const [one] = companies;
  await one?.database().execute("CREATE TABLE stray (id INTEGER PRIMARY KEY) STRICT");
  const found = await run(["check", "--all", "--again-after", "0"]);
  expect(found.code).toBe(1);
  expect(found.stdout).toContain(`${one?.slug}: broken: the schema is what the migrations make (1)`);
  expect(found.stdout).toContain("1 of 11 are broken");
  const { checked: again } = await json(["check", "--all"]);
  expect(again.map(({ slug }: { slug: string }) => slug)).toEqual([one?.slug]);
  await one?.database().execute("DROP TABLE stray");
  expect((await run(["check", one?.slug ?? ""])).code).toBe(0);
});

test("the status of all is a line for each, and what is to be looked at", async () => {
  const { code, stdout } = await run(["status"]);
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^company +status +schema +MB +waiting +breaker +backup +check$/);
  expect(lines.slice(1, -1).map((line) => line.split(" ")[0])).toEqual(slugs());
  expect(lines[1]).toMatch(/ +active +current +\d\.\d +0 +closed +0 h ago +0 h ago$/);
  expect(lines.at(-1)).toMatch(/^11 companies, \d+\.\d MB$/);
  const [one] = companies;
  await one?.faults({ kind: "reset_before" });
  const { companies: found, summary } = await json(["status"]);
  const silent = await run(["status"]);
  await one?.faults({ kind: "error", code: "SQLITE_CORRUPT" });
  const damaged = await run(["status"]);
  await one?.faults();
  expect(damaged).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(new RegExp(`^${one?.slug} +active +damaged `, "m")),
    stderr: expect.stringContaining(`${one?.slug} (the file of its database is damaged)`),
  });
  await setFaults("control", [{ kind: "error", code: "SQLITE_IOERR", writes_only: true }], service.address);
  const full = await run(["status"]);
  await setFaults("control", [], service.address);
  expect(full).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("the database server cannot write its files"),
  });
  expect(silent).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `1 of 11 failed, run it again: ${one?.slug} (its database does not answer; where others do`,
    ),
  });
  expect(found).toHaveLength(COMPANIES - 1);
  expect(summary).toMatchObject({
    companies: 11,
    unreachable: 1,
    never_backed_up: 0,
    never_checked: 0,
    broken: 0,
  });
});

test.each(["Is it well?", "The whole fleet"])("the commands of the page run: %s", async (heading) => {
  const [lines = ""] = shellBlocks("operate.md", heading);
  expect(lines.trim().split("\n").length).toBeGreaterThan(3);
  await runCron(service.address);
  const done = await inShell(lines, { env: operatorOf(service.address), cwd: path() });
  expect(done.code, done.stdout + done.stderr).toBe(0);
});

test.each([
  [["check"], "Give SLUG or --all"],
  [["check", "asha", "--all"], "Give SLUG or --all"],
  [["check", "--all", "--again-after", "soon"], "--again-after must be a number of hours"],
  [["backup", "--all"], "The folder is missing"],
  [["backup", "--all", "--control", "x"], "Give one of --control, --database and --all"],
  [["verify", "--all", ".", "--again-after", "soon"], "--again-after must be a number of hours"],
  [["verify", "--all", "/nowhere"], "/nowhere cannot be read (ENOENT)"],
])("%j is refused before anything is done", async (words, told) => {
  expect(await refusalOf(words, operatorOf(service.address))).toContain(told);
});
