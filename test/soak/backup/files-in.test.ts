import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeEach, expect, test } from "vitest";
import { readerOf } from "#cli/backup/dump/sqlite.ts";
import type { Reader } from "#cli/backup/dump/values.ts";
import { type Header, MARK, sumOf } from "#cli/backup/file/header.ts";
import { readBackup } from "#cli/backup/file/read-file.ts";
import { writeBackup } from "#cli/backup/file/write-files.ts";
import type { HeldFile } from "#cli/backup/files/section.ts";
import { verifyBackup } from "#cli/backup/verify.ts";
import { lineOf } from "#cli/failure.ts";
import { ulid } from "#shared/text/ulid.ts";
import { migratedDatabase } from "#tenancy/migrations/migrated-database.ts";
import { SOURCE } from "../../cli/backup/made.ts";
import { useFolder } from "../../support/folder.ts";

const path = useFolder();
// Each test writes its backup anew.
beforeEach(() => rm(path("asha.backup"), { force: true }));

const PDF = "application/pdf";
const PATHS = [1, 2, 3].map((at) => `${ulid(at * 1_000)}/a-${at}.pdf`).toSorted();

/** A company's database whose leads hold these files. */
function holding(paths: readonly string[]): Reader {
  const database = migratedDatabase("company");
  database.exec(`INSERT INTO leads (lead_number, email_norm, status, source, name, submission_count, created_at, last_submitted_at, updated_at)
    VALUES ('LEAD-1', 'a@mail.example', 'new', 'website', 'Asha', 1, 0, 0, 0)`);
  for (const [at, held] of paths.entries())
    database
      .prepare(
        `INSERT INTO lead_submissions (operation, lead_id, content_hash, content, attachment_path, attachment_name,
          attachment_type, attachment_size, submitted_at) VALUES (?, 1, ?, '{}', ?, 'a.pdf', ?, 1, 0)`,
      )
      .run(`made ${at}`, `hash ${at}`, held, PDF);
  return readerOf(database);
}

/** More bytes than two lines hold, that no other file has. */
const bytesOf = ({ path: held }: HeldFile) =>
  Buffer.concat(
    Array.from({ length: 3_200 }, (_, at) => createHash("sha256").update(`${held} ${at}`).digest()),
  );

async function written(
  fetchFile: (file: HeldFile) => Promise<Buffer | null> = async (file) => bytesOf(file),
) {
  const file = path("asha.backup");
  const backedUp = await writeBackup(holding(PATHS), file, SOURCE, fetchFile);
  return { file, backedUp };
}

const problemsOf = (file: string) => verifyBackup(file).then(({ problems }) => problems.join("\n"), lineOf);

test("the files that records hold come back as they were, each with its size and sum", async () => {
  const { file, backedUp } = await written();
  expect(backedUp.files).toMatchObject({ count: 3, bytes: 3 * 102_400, missing: 0 });
  expect(await problemsOf(file)).toBe("");
  await using backup = await readBackup(file);
  const found: string[] = [];
  for await (const { bytes, ...one } of backup.files()) {
    expect(bytes?.equals(bytesOf(one))).toBe(true);
    expect(one).toMatchObject({ folder: "leads", type: PDF });
    found.push(one.path);
  }
  expect(found).toEqual(PATHS);
  expect(await readdir(path())).toEqual(["asha.backup"]);
});

test("a file that is gone is named, and is no reason to have no backup", async () => {
  const gone = PATHS[1];
  const { file, backedUp } = await written(async (held) => (held.path === gone ? null : bytesOf(held)));
  expect(backedUp).toMatchObject({ files: { count: 2, missing: 1 }, missing: [`leads/${gone}`] });
  expect(await verifyBackup(file)).toMatchObject({ problems: [], missing: [`leads/${gone}`] });
});

/** The same backup with other files, and with sums that fit, as a forger can make it. */
async function crafted(file: string, change: (section: string) => string): Promise<string> {
  const text = gunzipSync(await readFile(file)).toString();
  const end = text.indexOf("\n");
  const { sha256: _, ...header } = JSON.parse(text.slice(MARK.length, end)) as Header;
  const files = end + 1 + header.sql.bytes;
  const section = change(text.slice(files));
  const sha256 = createHash("sha256").update(section).digest("hex");
  const said = { ...header, files: { ...header.files, sha256 } };
  const craftedFile = path("crafted.backup");
  const whole = `${MARK}${JSON.stringify({ ...said, sha256: sumOf(said) })}\n${text.slice(end + 1, files)}${section}`;
  await writeFile(craftedFile, gzipSync(whole));
  return craftedFile;
}

test.each([
  ["a path that leaves its folder", /[0-9A-Z]{26}\/a-1.pdf/, "../../7/a.pdf", "must be the path of a file"],
  ["a folder that is a path", '"folder":"leads"', '"folder":"leads/8"', "folder"],
  ["a folder that no record names", '"folder":"leads"', '"folder":"abc"', "No record holds the file abc/"],
  ["a path that no record names", /[0-9A-Z]{26}(?=\/a-1)/, ulid(1), "No record holds the file"],
  ["another size", '"size":102400', '"size":102401', "is damaged"],
  ["a size that is too large", '"size":102400', '"size":99999999', "size"],
  ["another sum", /"sha256":"[0-9a-f]{64}"/, `"sha256":"${"0".repeat(64)}"`, "is damaged"],
  ["other bytes", /\n-- [A-Za-z0-9+/]{4}/, "\n-- AAAA", "is damaged"],
  ["what is no entry", /^-- file .*\n/, "-- nothing\n", "is damaged"],
  ["one file less", /^-- file [\s\S]*?(?=-- file )/, "", "is damaged"],
])("verify finds %s", async (_, from, to, told) => {
  const { file } = await written();
  expect(await problemsOf(await crafted(file, (section) => section.replace(from, to)))).toContain(told);
});

test("verify finds a file that comes twice, and a record whose file is not there", async () => {
  const { file } = await written();
  const first = /^-- file [\s\S]*?(?=-- file )/;
  expect(await problemsOf(await crafted(file, (section) => section.replace(first, "$&$&")))).toContain(
    "is damaged",
  );
  const whole = await readFile(file);
  await writeFile(file, whole.subarray(0, -200));
  expect(await problemsOf(file)).not.toBe("");
});
