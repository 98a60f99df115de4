import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { Stream } from "#cli/backup/database/stream.ts";
import { appliedIn, CLOSING, dump, OPENING } from "#cli/backup/dump/dump.ts";
import { modulesOf } from "../../../src/build/bundle-modules.ts";
import { newCustomer, newInvoice } from "../../features/commerce.ts";
import { CASH, newPayment } from "../../features/money.ts";
import { openCompany, type TestCompany } from "../../support/company.ts";
import { addressOf, type Service, startService } from "../../support/service.ts";
import { buildWorker } from "../../support/worker.ts";
import { type Data, FROZEN, type Manifest } from "./frozen.ts";

// Keeps this release in the folder that upgrades are tried from, with data that it made: by hand, once for each release.
const SLUG = "frozen-traders";
const CUSTOMERS = 20;

/** A company of this release, and what it has made. */
async function fill(service: Service): Promise<TestCompany> {
  const fields = { slug: SLUG, name: "Frozen Traders", state: "Karnataka" };
  const company = await openCompany(fields, addressOf(service));
  for (let made = 0; made < CUSTOMERS; made += 1) {
    const { id } = await newCustomer(company, { name: `Customer ${made}` });
    const { id: invoice_id } = await newInvoice(company, id);
    await newPayment(company, { payment_mode_id: CASH, invoice_id, amount: 100 });
  }
  return company;
}

async function dumpOf(service: Service, name: string): Promise<string> {
  const stream = new Stream({ url: `${service.libsql.url}/dev/${name}`, token: service.libsql.token });
  let sql = "";
  for await (const part of dump(stream)) if (part !== OPENING && part !== CLOSING) sql += part;
  await stream.end();
  return sql;
}

function pack(value: unknown): Buffer {
  const text = JSON.stringify(value);
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
}

const folder = await mkdtemp(join(tmpdir(), "freeze-"));
const bundle = await buildWorker(join(folder, "worker"));
const service = await startService(bundle);
try {
  const { admin, namespace: name } = await fill(service);
  const control = new Stream({ url: `${service.libsql.url}/dev/control`, token: service.libsql.token });
  const sql = "SELECT schema_number FROM companies WHERE slug = ?";
  const [[number] = []] = await control.all(sql, [SLUG]);
  await control.end();
  const own = new Stream({ url: `${service.libsql.url}/dev/${name}`, token: service.libsql.token });
  const migrations = await appliedIn(own);
  await own.end();
  const dumps = { control: await dumpOf(service, "control"), [name]: await dumpOf(service, name) };
  const data: Data = { slug: SLUG, key: admin, database: name, dumps };
  const modules: Record<string, string> = {};
  for (const path of await modulesOf(bundle)) modules[path] = await readFile(join(bundle, path), "utf8");
  const release = FROZEN.split("/").at(-1) ?? "";
  const manifest: Manifest = { release, schema_number: Number(number), migrations };
  await mkdir(FROZEN, { recursive: true });
  await writeFile(join(FROZEN, "worker.json.br"), pack(modules));
  await writeFile(join(FROZEN, "data.json.br"), pack(data));
  await writeFile(join(FROZEN, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
} finally {
  await service.stop();
  await rm(folder, { recursive: true });
}
