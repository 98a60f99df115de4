import { readdir, readFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { afterEach, expect, inject, test, vi } from "vitest";
import { atOneMoment } from "#cli/backup/database/one-moment.ts";
import { writeBackup } from "#cli/backup/file/write-files.ts";
import { SOURCE } from "../cli/backup/made.ts";
import { newCustomer } from "../features/commerce.ts";
import { openCompany } from "../support/company.ts";
import { useFolder } from "../support/folder.ts";
import { recordedError } from "../support/libsql/recorded.ts";

const company = await openCompany({ state: "Karnataka" });
const path = useFolder();
const { libsqlUrl, libsqlToken } = inject("service");
const address = { url: `${libsqlUrl}/dev/${company.namespace}/`, token: libsqlToken };
afterEach(() => vi.unstubAllGlobals());

/** Backs the company up while the server ends streams of reads with this code, so many times. Gives how many it ended. */
async function backUp(name: string, code: string, times: number): Promise<number> {
  let ended = 0;
  const real = fetch;
  vi.stubGlobal("fetch", async (...[url, options]: Parameters<typeof fetch>) => {
    const body = String(options?.body);
    if (ended === times || !/FROM \\?"?customers\b/.test(body)) return real(url, options);
    ended += 1;
    const answer = recordedError(Buffer.from(body), code);
    return new Response(answer.body, { status: answer.status, headers: { "Content-Type": answer.type } });
  });
  await atOneMoment(address, (stream) => writeBackup(stream, path(name), SOURCE));
  return ended;
}

test.each(["STREAM_EXPIRED", "TRANSACTION_TIMEOUT"])(
  "a read that ends with %s is begun anew",
  async (code) => {
    await newCustomer(company);
    expect(await backUp(code, code, 1)).toBe(1);
    using database = new DatabaseSync(":memory:");
    database.exec(gunzipSync(await readFile(path(code))).toString());
    expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    expect(database.prepare("SELECT count(*) > 0 AS there FROM customers").get()).toEqual({ there: 1 });
  },
);

test("a backup goes on while its database server is started anew, and reads all of one moment", async () => {
  await newCustomer(company);
  const real = fetch;
  let faults = 0;
  vi.stubGlobal("fetch", async (...[url, options]: Parameters<typeof fetch>) => {
    if (!/FROM \\?"?customers\b/.test(String(options?.body)) || faults === 2) return real(url, options);
    faults += 1;
    if (faults === 1) throw new TypeError("fetch failed");
    // As sqld answers for a stream of the process before: it knows the name of no stream of that.
    const { requests } = JSON.parse(String(options?.body)) as { requests: unknown[] };
    return real(url, { ...options, body: JSON.stringify({ baton: "AAAA", requests }) });
  });
  const file = path("restarted");
  const { tables } = await atOneMoment(address, (stream) => writeBackup(stream, file, SOURCE));
  expect(faults).toBe(2);
  expect(tables.customers?.rows).toBeGreaterThan(0);
});

test("a read that ends again and again fails the backup, and leaves nothing in the folder; another fault is not tried again", async () => {
  const before = await readdir(path());
  await expect(backUp("often", "STREAM_EXPIRED", 4)).rejects.toThrow("STREAM_EXPIRED");
  await expect(backUp("corrupt", "SQLITE_CORRUPT", 1)).rejects.toThrow("The database refuses");
  expect(await readdir(path())).toEqual(before);
}, 30_000);
