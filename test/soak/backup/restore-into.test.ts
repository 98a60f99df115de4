import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { times } from "../../features/money.ts";
import { without } from "../../features/money-moves/moves.ts";
import {
  clientOf,
  companyOf,
  controlRows,
  must,
  openCompany,
  type TestCompany,
} from "../../support/company.ts";
import { connectGateway } from "../../support/gateways.ts";
import { expectSound } from "../../support/oracles.ts";
import { expectSelfCheckSound, resume, suspend, useCommandLine } from "./command.ts";

const PATIENT = { timeout: 300_000 };
const line = { item_name: "Work", unit: "Nos", unit_price: 100, tax_rate: 18, quantity: 1, hsn_code: "9983" };

const { ops, done } = useCommandLine();

async function invoice(company: TestCompany, customer_id: number): Promise<string> {
  return String((await company.make("/invoices/:company", { customer_id, items: [line] })).invoice_number);
}

/** A company with one invoice and a gateway, its backup, and two more invoices that the backup has not. */
async function backedUp() {
  const company = await openCompany({ state: "Karnataka" });
  await connectGateway(company, "razorpay");
  const meera = { name: "Meera Traders", state: "Karnataka", pincode: "560001" };
  const { data } = must(await company.call("POST", "/customers/:company", { body: meera }), 201).body;
  const customer = Number(data.id);
  const first = await invoice(company, customer);
  const file = `${company.slug}.backup`;
  await done("backup", company.slug, file);
  await invoice(company, customer);
  const last = await invoice(company, customer);
  return { company, customer, file, first, last };
}

const rowOf = async ({ slug }: TestCompany) =>
  (await controlRows("SELECT * FROM companies WHERE slug = ?", slug))[0] ?? {};
const invoicesIn = async (database: string) =>
  (await clientOf(database).execute("SELECT count(*) AS n FROM invoices")).rows[0]?.n;

// One company is restored, used as it was before, and used anew, test by test.
const life = await backedUp();

test(
  "a restore refuses the place of another company, a number too low, and both places at once",
  PATIENT,
  async () => {
    const { company, file, first } = life;
    const other = await openCompany();
    await suspend(other);
    await suspend(company);
    const low = `${first.slice(0, -5)}00000`;
    for (const [words, told] of [
      [["--into", other.slug], `is of company ${company.slug}: restore it as a new one, with --as`],
      [["--into", company.slug, "--continue-after", low], `--continue-after ${low} is lower than ${first}`],
      [["--into", company.slug, "--as", "another"], "Give either --as"],
      [[], "Give either --as"],
    ] as const) {
      const { code, stdout, stderr } = await ops("restore", file, ...words);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain(told);
      expect(stderr).not.toContain("is not sound");
    }
    for (const one of [company, other])
      expect(await rowOf(one)).toMatchObject({ database_name: one.namespace, spare_database_name: null });
    await resume(company);
  },
);

test(
  "a company is restored in its place, what was replaced can be used again, and the numbers go on after the last one",
  PATIENT,
  async () => {
    const { company, customer, file, last } = life;
    const words = ["restore", file, "--into", company.slug, "--continue-after", last];
    const begun = await company.read<{ head: number; epoch: string }>("/events/:company");
    const follow = (after = begun.head) =>
      company.call("GET", `/events/:company?after=${after}&epoch=${begun.epoch}`);
    expect((await ops(...words)).stderr).toContain(
      `${company.slug} is not suspended: company-ops company suspend ${company.slug}`,
    );
    await suspend(company);
    const restored = await done(...words);
    expect(restored.stdout).toContain(`What it was is kept as its spare database ${company.namespace}`);
    const {
      database_name: now,
      spare_database_name: spare,
      status,
    } = (await rowOf(company)) as Record<string, unknown>;
    expect({ spare, status }).toEqual({ spare: company.namespace, status: "suspended" });
    expect(await invoicesIn(String(spare))).toBe(3);
    expect(await invoicesIn(String(now))).toBe(1);

    const keeps = `this one is suspended, and has the spare database ${company.namespace}`;
    for (const verb of ["use-spare", "remove-spare"]) {
      const wrong = await ops("company", verb, company.slug, "co-of-nobody");
      expect(wrong).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(keeps) });
    }
    await done("company", "use-spare", company.slug, company.namespace);
    await resume(company);
    expect(must(await company.call("GET", "/invoices/:company"), 200).body.data).toHaveLength(3);
    must(await follow(), 200);
    await expectSound(company);
    await suspend(company);
    await done("company", "use-spare", company.slug, String(now));

    await resume(company);
    for (const after of [begun.head, 0])
      expect(await follow(after)).toMatchObject({ status: 410, body: { code: "feed_restarted" } });
    const next = await invoice(company, customer);
    expect(Number(next.slice(-5))).toBe(Number(last.slice(-5)) + 1);
    must(await company.call("GET", "/settings/:company/payment-gateways"), 200);
    await expectSelfCheckSound(company);

    const again = await ops(...words);
    expect(again.stderr).toContain("is not suspended");
    await suspend(company);
    expect((await ops(...words)).stderr).toContain(`keeps the spare database ${spare}: remove that first`);
    const wrong = await ops("company", "remove-spare", company.slug, String(now));
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("has the spare database") });
    const removed = await ops("company", "remove-spare", company.slug, String(spare), "--json");
    expect(JSON.parse(removed.stdout)).toMatchObject({ database: now, spare: null });
    await expect(clientOf(String(spare)).execute("SELECT 1")).rejects.toThrow();
    expect(await invoicesIn(String(now))).toBe(2);
  },
);

test(
  "20 that make an invoice with one own id again and again, beside a restore, leave one",
  PATIENT,
  async () => {
    const { company, customer, file, last } = await backedUp();
    const body = { external_id: "own", customer_id: customer, items: [line] };
    const create = () => company.call("POST", "/invoices/:company", { body });
    let isOver = false;
    const making = times(20, async () => {
      const answers: string[] = [];
      for (; !isOver; await sleep(20)) {
        const { status, body: said } = await create();
        answers.push(`${status} ${said.code ?? ""}`);
      }
      return answers;
    });
    await suspend(company);
    await done("restore", file, "--into", company.slug, "--continue-after", last);
    await resume(company);
    isOver = true;
    const told = [...new Set((await making).flat())];
    const allowed = ["201 ", "403 company_suspended", "503 unavailable", "503 outcome_unknown"];
    expect(allowed).toEqual(expect.arrayContaining(told));
    const { id } = must(await create(), 201).body.data;
    expect(await company.read("/invoices/:company?external_id=own")).toMatchObject([{ id }]);
    expect(await company.read("/invoices/:company")).toHaveLength(2);
    await expectSelfCheckSound(company);
  },
);

test("a company restored under another name answers the same create with what stands", PATIENT, async () => {
  const { company, customer } = await backedUp();
  const body = { external_id: "own", customer_id: customer, items: [line] };
  const create = (of: TestCompany) => of.call("POST", "/invoices/:company", { body });
  const first = must(await create(company), 201).body.data;
  await done("backup", company.slug, "renamed.backup");
  const { stdout } = await done("restore", "renamed.backup", "--as", `${company.slug}-2`, "--json");
  const copy = await companyOf(JSON.parse(stdout));
  must(await copy.patch({ status: "active" }), 200);
  expect(must(await create(copy), 201).body.data).toMatchObject({ id: first.id });
});

test("a restore that fails leaves the company its own database, and no spare one", PATIENT, async () => {
  const company = await openCompany();
  await company.rows("INSERT INTO number_series VALUES ('invoice', '26-27', 7)");
  await ops("backup", company.slug, "unsound.backup");
  await suspend(company);
  const { code, stderr } = await ops("restore", "unsound.backup", "--into", company.slug);
  expect(code).toBe(1);
  expect(stderr).toContain(
    `${company.slug} is not restored and has its own database, as before: the self-check`,
  );
  expect(await rowOf(company)).toMatchObject({
    database_name: company.namespace,
    spare_database_name: null,
    spare_database_url: null,
    spare_database_token: null,
  });
});

test(
  "a backup that lacks a migration gets it as it is restored, before anything else is done to it",
  PATIENT,
  async () => {
    const { company, file } = await backedUp();
    const heads = "system_key GLOB 'input_?gst'";
    await without(company, "34_entries_by_hand", `DELETE FROM accounts WHERE ${heads}`);
    const older = `older-${file}`;
    await done("backup", company.slug, older);
    await suspend(company);
    await done("restore", older, "--into", company.slug);
    const { database_name: now } = (await rowOf(company)) as Record<string, unknown>;
    const { rows } = await clientOf(String(now)).execute(`SELECT code FROM accounts WHERE ${heads}`);
    expect(rows).toHaveLength(3);
    await resume(company);
    await expectSelfCheckSound(company);
  },
);
