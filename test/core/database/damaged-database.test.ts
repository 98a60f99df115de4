import { open, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { must, openCompany, platformRead, type TestCompany } from "../../support/company.ts";
import { askAdmin } from "../../support/libsql/index.ts";
import { ownService } from "../../support/own-service.ts";

const PATH = "/customers/:company";
const CUSTOMER = { name: "Meera Traders", state: "Karnataka", pincode: "560001" };
const PAGE = 4_096;
const CUT_AT = 1_000_000;

type Line = { fault?: string; status?: number; request_id?: string };

const lines: string[] = [];
const logged = (): Line[] => lines.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
const folderOf = ({ namespace }: TestCompany) => join(service.libsql.folder, "dbs", namespace);

/** Has sqld write all of a database into its file. */
async function checkpoint({ namespace }: TestCompany): Promise<void> {
  const { adminUrl } = service.libsql.direct();
  expect((await askAdmin(adminUrl, "POST", `/v1/namespaces/${namespace}/checkpoint`)).status).toBe(200);
}

async function overwrite(company: TestCompany, from: number, pages: number): Promise<void> {
  const file = await open(join(folderOf(company), "data"), "r+");
  await file.write(Buffer.alloc(pages * PAGE, "x"), 0, undefined, from);
  await file.close();
}

const service = await ownService([], { hear: (line) => lines.push(line) });
const opened = () => openCompany({}, service.address);
/** Its file was cut, its first page or the pages of its tables were overwritten, or its files were removed. */
const cut = await opened();
const headless = await opened();
const overwritten = await opened();
const emptied = await opened();
for (const company of [cut, headless, overwritten, emptied]) {
  must(await company.call("POST", PATH, { body: CUSTOMER }), 201);
  await checkpoint(company);
}
await service.libsql.kill();
await truncate(join(folderOf(cut), "data"), CUT_AT);
await overwrite(headless, 0, 1);
await overwrite(overwritten, 10 * PAGE, 200);
await rm(folderOf(emptied), { recursive: true });
await service.libsql.restart();
beforeEach(() => {
  lines.length = 0;
});

const faultsOf = (id: string | null) =>
  logged().filter(({ request_id, fault }) => request_id === id && fault);

test.each([
  // sqld says that the file is malformed, or ends each connection, as it happens to have loaded it.
  ["whose first page is overwritten", () => headless, /^database_(damaged|unanswered)$/],
  ["whose files are gone, so that sqld made an empty one", () => emptied, /^database_empty$/],
])("a database %s is 503, does nothing, and a fault line names it", async (_what, company, fault) => {
  const one = company();
  for (const answer of [
    await one.call("GET", PATH),
    await one.call("POST", PATH, { body: CUSTOMER }),
    await one.call("GET", `${PATH}/1`),
  ]) {
    expect(answer).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect(answer.text).not.toMatch(/malformed|SQL|table/);
    expect(faultsOf(answer.headers.get("X-Request-Id"))).toEqual([
      expect.objectContaining({
        fault: expect.stringMatching(fault),
        company: one.slug,
        operation: expect.stringMatching(/Customer/),
        subject: expect.stringContaining(one.namespace),
      }),
    ]);
  }
});

test("a database whose tables are overwritten is 503, and a fault line names it, also where sqld ends the connection", async () => {
  const found = new Set<string | undefined>();
  for (const path of [PATH, `${PATH}/1`]) {
    const answer = await overwritten.call("GET", path);
    expect(answer).toMatchObject({ status: 503, body: { code: "unavailable" } });
    for (const { fault } of faultsOf(answer.headers.get("X-Request-Id"))) found.add(fault);
  }
  expect(found).toContain("database_damaged");
  expect([...found].filter((fault) => !/^database_(damaged|unanswered)$/.test(fault ?? ""))).toEqual([]);
});

test("a database whose file was cut, of which sqld ends each connection, is 503, and a fault line names it", async () => {
  const answer = await cut.call("GET", PATH);
  expect(answer).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect(faultsOf(answer.headers.get("X-Request-Id"))).toEqual([
    expect.objectContaining({
      fault: "database_unanswered",
      company: cut.slug,
      subject: expect.stringContaining(cut.namespace),
    }),
  ]);
});

test("the status and the access of each say what its database is", async () => {
  const at = (slug: string, rest: string) =>
    platformRead(`/platform/companies/${slug}/${rest}`, service.address);
  for (const [{ slug }, fault] of [
    [headless, expect.stringMatching(/^(?:database_damaged|unavailable)$/)],
    [emptied, "database_empty"],
    [cut, "unavailable"],
  ] as const) {
    expect(await at(slug, "status"), slug).toMatchObject({ fault, reachable: false, schema: null });
    expect(await at(slug, "access"), slug).toMatchObject({ fault, works: false });
  }
});
