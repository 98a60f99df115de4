import { createHash } from "node:crypto";
import { expect, inject, test } from "vitest";
import { applied, newJob } from "../../features/hiring.ts";
import { LEADS, postForm } from "../../features/leads/leads.ts";
import {
  companyOf,
  controlRows,
  credentials,
  must,
  openCompany,
  type TestCompany,
} from "../../support/company.ts";
import { pdf } from "../../support/documents.ts";
import { announce, CLOSE } from "../../support/http.ts";
import { resume, suspend, useCommandLine } from "./command.ts";

const PATIENT = { timeout: 300_000 };
const RESUME = (id: number) => `/settings/:company/applications/${id}/resume`;

const { ops, done } = useCommandLine();

const source = await openCompany();
const { slug } = await newJob(source);
for (const size of [0, 300_000, 2_000_000]) await applied(source, slug, {}, { resume: pdf(size) });
must(await postForm(source, [["attachment", pdf(70_000), "plan.pdf"]]), 200);
await applied(source, slug);
const resumes = await source.files("resumes");
const missing = resumes.at(-1) ?? "";
await source.loseFiles("resumes", missing);
resumes.pop();
const file = `${source.slug}.backup`;

const pathOf = (path: string) => `/platform/companies/${source.slug}/files/${path}`;
const operator = () => ({ Authorization: `Bearer ${inject("service").platformToken}` });

/** A call of the operator for a file of the source. */
function ask(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: Uint8Array<ArrayBuffer>,
) {
  return fetch(inject("service").url + pathOf(path), {
    method,
    headers: { ...operator(), ...headers, ...(body === undefined ? {} : CLOSE) },
    ...(body === undefined ? {} : { body }),
  });
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Whether the copy gives each file byte for byte as the source does. */
async function expectSame(copy: TestCompany): Promise<void> {
  await expect.poll(async () => (await copy.call("GET", RESUME(1))).status).toBe(200);
  for (const path of [RESUME(1), RESUME(2), RESUME(3), `${LEADS}/1/submissions/1/attachment`]) {
    const [one, other] = [await source.call("GET", path), await copy.call("GET", path)];
    expect(must(other, 200).text === must(one, 200).text, path).toBe(true);
    expect(other.headers.get("Content-Type")).toBe(one.headers.get("Content-Type"));
  }
}

test("a backup has the company's files, and names the one that is gone by its path", PATIENT, async () => {
  const ran = await ops("backup", source.slug, file);
  expect(ran.code).toBe(1);
  expect(ran.stdout).toContain(", 4 files");
  expect(ran.stderr).toContain(`resumes/${missing} is not stored`);
  const verified = await ops("verify", file, "--json");
  expect(verified.code).toBe(0);
  expect(JSON.parse(verified.stdout)).toMatchObject({
    ok: true,
    missing: [`resumes/${missing}`],
    files: { count: 4, missing: 1 },
  });
  await done("backup", source.slug, "without.backup", "--without-files");
});

test(
  "a new company gets them below its own prefix; a restore that was cut off goes on",
  PATIENT,
  async () => {
    const slug = `${source.slug}-2`;
    const ran = await ops("restore", file, "--as", slug, "--json");
    const said = JSON.parse(ran.stdout);
    expect(said.files).toEqual({ stored: 4, present: 0, missing: [`resumes/${missing}`] });
    expect(ran).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`resumes/${missing} is not restored`),
    });
    const copy = await companyOf(said);
    expect(await copy.files("resumes")).toEqual(resumes);
    must(await copy.patch({ status: "active" }), 200);
    await expectSame(copy);

    for (const path of resumes.slice(1)) await copy.loseFiles("resumes", path);
    const again = await ops("restore", file, "--files-of", slug, "--json");
    expect(JSON.parse(again.stdout).files).toMatchObject({ stored: resumes.length - 1, present: 2 });
    await expectSame(copy);
  },
);

test("a company's own place gets back the files that were lost, and no other", PATIENT, async () => {
  const own = await source.files("resumes");
  const before = must(await source.call("GET", RESUME(2)), 200).text;
  await source.loseFiles("resumes", own[1] ?? "");
  await suspend(source);
  const ran = await ops("restore", file, "--into", source.slug, "--json");
  expect(JSON.parse(ran.stdout).files).toMatchObject({ stored: 1, present: 3 });
  await resume(source);
  expect((await source.call("GET", RESUME(2))).text === before).toBe(true);

  const other = await openCompany();
  const none = await ops("restore", file, "--files-of", other.slug, "--json");
  expect(JSON.parse(none.stdout).files).toEqual({ stored: 0, present: 0, missing: [] });
  expect(await other.files("resumes")).toEqual([]);
});

test(
  "files are the operator's alone to move, in their own folder, whole and never replaced",
  PATIENT,
  async () => {
    const [path = ""] = await source.files("resumes");
    for (const Authorization of ["Bearer wrong", "", `Bearer ${source.admin.client_secret}`])
      expect((await ask("GET", `resumes/${path}`, { Authorization })).status).toBe(401);
    expect(
      (await ask("GET", `resumes/${path}`, { Authorization: "", ...credentials(source.admin) })).status,
    ).toBe(401);
    const [id = "", name = ""] = path.split("/");
    for (const wrong of [
      `leads/${path}`,
      `other/${path}`,
      `resumes/${id}/..%2F..%2F${name}`,
      `resumes/${id}/%2E%2E%2F${name}`,
      `resumes/..%2F1%2F${id}/${name}`,
      `resumes/${id}/.a`,
    ])
      expect((await ask("GET", wrong)).status, wrong).toBe(404);

    const bytes = pdf(5_000);
    const sent = (sum: string, type = "application/pdf") => ({
      "Content-Type": type,
      "X-Content-SHA256": sum,
    });
    const put = (to: string, headers: Record<string, string>) => ask("PUT", to, headers, bytes);
    const fresh = `resumes/${missing}`;
    for (const to of [`other/${missing}`, `resumes/${id}/..%2F${name}`, `resumes%2F..%2Fleads/${missing}`])
      expect((await put(to, sent(sha256(bytes)))).status, to).toBe(404);
    for (const headers of [sent(sha256(pdf(5_001))), sent("none"), sent(sha256(bytes), "text/html")])
      expect((await put(fresh, headers)).status).toBe(422);
    expect((await ask("HEAD", fresh)).status).toBe(404);
    const announced = { ...operator(), ...sent("0".repeat(64)) };
    expect((await announce(10 * 1024 * 1024 + 1, pathOf(fresh), announced, "PUT")).status).toBe(413);
    expect((await ask("HEAD", fresh)).status).toBe(404);
    expect(await (await put(fresh, sent(sha256(bytes)))).json()).toEqual({ data: { stored: true } });
    expect(await (await put(`resumes/${path}`, sent(sha256(bytes)))).json()).toEqual({
      data: { stored: false },
    });
    const kept = new Uint8Array(await (await ask("GET", fresh)).arrayBuffer());
    expect(sha256(kept)).toBe(sha256(bytes));

    const log =
      "SELECT actor, action FROM audit_log WHERE record = ? AND action LIKE '%Files' ORDER BY action";
    const rows = await controlRows(log, source.slug);
    expect(rows.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      "platform readFiles",
      "platform restoreFiles",
    ]);
  },
);
