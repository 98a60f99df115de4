import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCompany, type TestCompany } from "#test/company.ts";
import { document } from "#test/documents.ts";
import { GENERATORS, type Generator } from "./generators.ts";
import { hashOf, keepResult } from "./results.ts";

const FOLDER = join(import.meta.dirname, "../../build/clients");
const GSTIN = "29AABCR1718E1ZL";
const customer = { name: "Meera", state: "Karnataka", pincode: "560001", gstin: GSTIN };
const { CI, PATH = "" } = process.env;
// Of those that CI names none may be left out.
const isThere = (program: string) =>
  CI !== undefined || PATH.split(delimiter).some((folder) => existsSync(join(folder, program)));
const installed = Object.entries(GENERATORS).filter(([, { needs }]) => needs.every(isThere));

/** What each of the five calls is to print, and what the service has of it. */
const EXPECTED = {
  money: "150000.01, and 15000001 paise in the books",
  pages: "Ravi Meera",
  field: "pincode",
  conflict: "duplicate_customer",
  file: `received: ${Buffer.from(document("pdf"))}`,
};

describe.each(installed)("%s", (name, generator) => {
  const folder = join(FOLDER, name.replace(" ", "-"));
  const passed: string[] = [];
  let hash: string;
  let printed: Record<string, string>;

  beforeAll(async () => {
    const company = await openCompany();
    const { id } = await company.make<{ id: string }>("/customers/:company", customer);
    await company.make("/customers/:company", { ...customer, name: "Ravi", gstin: null });
    const job = { title: "Welder", description_html: "<p>Join plates.</p>", is_published: true };
    const { slug } = await company.make<{ slug: string }>("/settings/:company/jobs", job);
    hash = await makeClient(folder, generator, company);
    printed = await call(folder, generator.call, company, { CUSTOMER: id, JOB: slug });
    const [books] = await company.rows("SELECT sum(debit) AS paise FROM journal_lines");
    printed.money += `, and ${books?.paise} paise in the books`;
    const [applied] = await company.read<{ id: number }[]>("/settings/:company/applications");
    const resume = await company.call("GET", `/settings/:company/applications/${applied?.id}/resume`);
    printed.file += `: ${resume.text}`;
  }, 1_800_000);

  afterAll(() => keepResult(name, { version: generator.version, document: hash, passed }));

  test.each(Object.entries(EXPECTED))("%s", (call, text) => {
    expect(printed[call]).toBe(text);
    passed.push(call);
  });
});

/** Makes the client of the document that the service serves, and gives that document's hash. */
async function makeClient(
  folder: string,
  { document: file, program, steps }: Generator,
  { url }: TestCompany,
) {
  const [name, place] = program;
  await rm(folder, { recursive: true, force: true });
  await mkdir(dirname(join(folder, place)), { recursive: true });
  const served = await (await fetch(`${url}/v1/${file}`)).text();
  await writeFile(join(folder, file), served);
  await writeFile(join(folder, "resume.pdf"), document("pdf"));
  await cp(join(import.meta.dirname, "calls", name), join(folder, place));
  for (const step of steps) await run(folder, step);
  return hashOf(served);
}

/** What the program prints: a name and a text in each line. */
async function call(folder: string, command: string, { url, slug, admin }: TestCompany, records: object) {
  const key = { CLIENT_ID: admin.client_id, CLIENT_SECRET: String(admin.client_secret) };
  const given = { BASE_URL: `${url}/v1`, COMPANY: slug, ...key, GSTIN, RESUME: "resume.pdf", ...records };
  const lines = stripVTControlCharacters(await run(folder, command, given))
    .trim()
    .split("\n");
  return Object.fromEntries(lines.map((line) => /^(\w+) (.*)/.exec(line)?.slice(1) ?? []));
}

/** Runs a command without a shell, and gives what it prints. */
async function run(folder: string, command: string, variables: Record<string, string> = {}): Promise<string> {
  const [program = "", ...words] = command.split(" ");
  const options = { cwd: folder, env: { ...process.env, ...variables }, maxBuffer: 1e9 };
  const file = program.includes("/") ? join(folder, program) : program;
  const { stdout } = await promisify(execFile)(file, words, options).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout.slice(-5_000)}`);
  });
  return stdout;
}
