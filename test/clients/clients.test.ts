import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCompany, type TestCompany } from "#test/company.ts";
import { document } from "#test/documents.ts";
import { GENERATORS, type Generator } from "./generators.ts";
import { hashOf, keepResult } from "./results.ts";

const FOLDER = join(import.meta.dirname, "../../build/clients");
const GSTIN = "29AABCR1718E1ZL";
const customer = { name: "Meera", state: "Karnataka", pincode: "560001", gstin: GSTIN };
const programs = (process.env.PATH ?? "").split(delimiter);
const isThere = (program: string) => programs.some((folder) => existsSync(join(folder, program)));
const installed = Object.entries(GENERATORS).filter(([, { needs }]) => needs.every(isThere));

describe.each(installed)("%s", { timeout: 60_000 }, (name, generator) => {
  const folder = join(FOLDER, name.replace(" ", "-"));
  const passed: string[] = [];
  let company: TestCompany;
  let hash: string;
  let printed: Record<string, string | undefined>;

  beforeAll(async () => {
    company = await openCompany();
    const { id } = await company.make<{ id: string }>("/customers/:company", customer);
    await company.make("/customers/:company", { ...customer, name: "Ravi", gstin: null });
    const job = { title: "Welder", description_html: "<p>Join plates.</p>", is_published: true };
    const { slug } = await company.make<{ slug: string }>("/settings/:company/jobs", job);
    hash = await makeClient(folder, generator, company);
    printed = await call(folder, generator.call, company, { CUSTOMER: id, JOB: slug });
  }, 1_800_000);

  afterAll(() => keepResult(name, { version: generator.version, document: hash, passed }));

  test("reads back the 150000.01 that it sent, and so do the books", async () => {
    const [books] = await company.rows("SELECT sum(debit) AS debit FROM journal_lines");
    expect([printed.money, books?.debit]).toEqual(["150000.01", 15_000_001]);
    passed.push("money");
  });

  test("reads a list over two pages", () => {
    expect(printed.pages).toBe("Ravi Meera");
    passed.push("pages");
  });

  test("hears which field a 422 refuses", () => {
    expect(printed.field).toBe("pincode");
    passed.push("field");
  });

  test("hears the code of a 409", () => {
    expect(printed.conflict).toBe("duplicate_customer");
    passed.push("conflict");
  });

  test("sends a file", async () => {
    expect(printed.file).toBe("received");
    const [application] = await company.read<{ id: number }[]>("/settings/:company/applications");
    const sent = await company.call("GET", `/settings/:company/applications/${application?.id}/resume`);
    expect(sent.text).toBe(Buffer.from(document("pdf")).toString());
    passed.push("file");
  });
});

/** Makes the client of the document that the service serves, and gives that document's hash. */
async function makeClient(folder: string, { document: file, calls, steps }: Generator, { url }: TestCompany) {
  const [program, place] = calls;
  await rm(folder, { recursive: true, force: true });
  await mkdir(dirname(join(folder, place)), { recursive: true });
  const served = await (await fetch(`${url}/v1/${file}`)).text();
  await writeFile(join(folder, file), served);
  await writeFile(join(folder, "resume.pdf"), document("pdf"));
  await cp(join(import.meta.dirname, "calls", program), join(folder, place));
  for (const step of steps) await run(folder, step.replace("{document}", file));
  return hashOf(served);
}

/** What the program prints: a name and a text in each line. */
async function call(folder: string, command: string, { url, slug, admin }: TestCompany, records: object) {
  const key = { CLIENT_ID: admin.client_id, CLIENT_SECRET: String(admin.client_secret) };
  const given = { BASE_URL: `${url}/v1`, COMPANY: slug, ...key, GSTIN, RESUME: "resume.pdf", ...records };
  const lines = (await run(folder, command, given)).trim().split("\n");
  return Object.fromEntries(lines.map((line) => /^(\w+) (.*)/.exec(line)?.slice(1) ?? []));
}

/** Runs a command without a shell, and gives what it prints. */
async function run(folder: string, command: string, variables: Record<string, string> = {}): Promise<string> {
  const [program = "", ...words] = command.split(" ");
  const options = { cwd: folder, env: { ...process.env, ...variables }, maxBuffer: 1e9 };
  const file = program.includes("/") ? join(folder, program) : program;
  return (await promisify(execFile)(file, words, options)).stdout;
}
