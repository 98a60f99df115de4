import { newCompany } from "../../../src/build/schema.ts";
import {
  clientOf,
  controlRows,
  type Key,
  must,
  openBusy,
  platform,
  type TestCompany,
} from "../../support/company.ts";

export type Row = Record<string, string | number | null>;
/** What a backup of the control database holds of a company: its row and those of its keys. */
export type ControlRows = { company: Row; keys: Row[] };
export type Claim = {
  database: string;
  company: { slug: string } | null;
  digest: string;
  reason: string | null;
  replaced_by: string | null;
};
export type Adopted = { outcome: string; reason: string | null; replaced: string | null };

const CUSTOMERS = "/customers/:company";

/** A company whose databases are restored, changed and lost, and what each of them has to hold. */
export class Recovery {
  readonly company: TestCompany;
  /** The customers of each database, by its name. */
  readonly held = new Map<string, string[]>();
  own: string;
  spare: string | null = null;
  // An isolate remembers a key for ten seconds, so that each look needs one that it has not seen.
  readonly #keys: Key[];
  #customers = 0;

  private constructor(company: TestCompany, keys: Key[]) {
    this.company = company;
    this.own = company.namespace;
    this.held.set(this.own, []);
    this.#keys = keys;
  }

  static async open(looks = 12): Promise<Recovery> {
    const company = await openBusy();
    const keys: Key[] = [];
    while (keys.length < looks) keys.push(await company.key("customers:read", "customers:write"));
    return new Recovery(company, keys);
  }

  get path(): string {
    return `/platform/companies/${this.company.slug}/spare-database`;
  }

  fresh(): Key {
    const key = this.#keys.pop();
    if (key === undefined) throw new Error("Open the company with more keys");
    return key;
  }

  write(key: Key = this.fresh()) {
    this.#customers += 1;
    const body = { name: `Customer ${this.#customers}`, state: "Karnataka", pincode: "560001" };
    return this.company.call<{ id: string }>("POST", CUSTOMERS, { body, key });
  }

  async read(key: Key = this.fresh()): Promise<string[] | number> {
    const answer = await this.company.call<{ name: string }[]>("GET", CUSTOMERS, { key });
    return answer.status === 200 ? answer.body.data.map(({ name }) => name).toSorted() : answer.status;
  }

  /** A customer is written, in the database that is the company's own. */
  async work(): Promise<void> {
    must(await this.write(), 201);
    this.held.get(this.own)?.push(`Customer ${this.#customers}`);
  }

  /** The same, where a lost control database may have it refused. Gives the status. */
  async tryToWork(): Promise<number> {
    const { status } = await this.write();
    if (status === 201) this.held.get(this.own)?.push(`Customer ${this.#customers}`);
    return status;
  }

  async suspended<Result>(act: () => Promise<Result>): Promise<Result> {
    must(await this.company.patch({ status: "suspended" }), 200);
    const result = await act();
    must(await this.company.patch({ status: "active" }), 200);
    return result;
  }

  /** Makes a spare database and fills it, as a restore does, with an empty company. */
  async fillSpare(): Promise<string> {
    const { spare } = must(await platform<{ spare: string }>("POST", this.path), 201).body.data;
    const database = clientOf(spare);
    await database.executeMultiple(`BEGIN;${(await newCompany()).join(String(Date.now()))};COMMIT`);
    const { rows } = await clientOf(this.own).execute("SELECT * FROM profile");
    await insert(spare, "profile", { ...rows[0] } as Row);
    this.held.set(spare, []);
    this.spare = spare;
    return spare;
  }

  use(name: string, body: { lost?: string } = {}) {
    return platform<{ database: string; spare: string }>("POST", `${this.path}/${name}/use`, body);
  }

  async change(name: string): Promise<void> {
    must(await this.use(name), 200);
    [this.own, this.spare] = [name, this.own];
  }

  /** `restore --into`: what was is the spare database then. */
  restore(): Promise<void> {
    return this.suspended(async () => this.change(await this.fillSpare()));
  }

  async removeSpare(): Promise<void> {
    must(await platform("DELETE", `${this.path}/${this.spare}`), 200);
    this.held.delete(String(this.spare));
    this.spare = null;
  }

  /** What a backup of the control database holds of the company now. */
  async backUp(): Promise<ControlRows> {
    const [company] = await controlRows("SELECT * FROM companies WHERE slug = ?", this.company.slug);
    const keys = await controlRows("SELECT * FROM api_keys WHERE company_id = ?", Number(company?.id));
    return { company: company as Row, keys: keys as Row[] };
  }

  /** The control database is lost, and put back from that backup; null: from one of before the company. */
  async lose(backup: ControlRows | null): Promise<void> {
    await lose(this.company);
    if (backup === null) return;
    await insert("control", "companies", backup.company);
    for (const key of backup.keys) await insert("control", "api_keys", key);
  }

  async claims(lost?: string): Promise<Claim[]> {
    const query = lost === undefined ? "" : `?lost=${lost}`;
    const names = [...this.held.keys()];
    const answers = names.map((name) => platform<Claim>("GET", `/platform/databases/${name}${query}`));
    return (await Promise.all(answers)).map((answer) => must(answer, 200).body.data);
  }

  async adopt({ database, digest }: Claim, lost?: string): Promise<Adopted> {
    const path = `/platform/databases/${database}/adopt`;
    return must(await platform<Adopted>("POST", path, { digest, lost }), 200).body.data;
  }
}

/** Takes a company out of the control database, as an older backup of it would not have it. */
export async function lose({ slug }: TestCompany): Promise<void> {
  const keys = "DELETE FROM api_keys WHERE company_id = (SELECT id FROM companies WHERE slug = ?)";
  await controlRows(keys, slug);
  await controlRows("DELETE FROM companies WHERE slug = ?", slug);
}

export async function insert(database: string, table: string, row: Row): Promise<void> {
  const columns = Object.keys(row);
  const places = columns.map(() => "?").join(", ");
  const sql = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places})`;
  await clientOf(database).execute({ sql, args: Object.values(row) });
}
