import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { Stream } from "#cli/backup/database/stream.ts";
import { appliedIn, CLOSING, dump, OPENING } from "#cli/backup/dump/dump.ts";
import { modulesOf } from "../../../src/build/bundle-modules.ts";
import { PLATFORM_TOKEN, type Service, startService } from "../../support/service.ts";
import { buildWorker } from "../../support/worker.ts";
import { type Data, FROZEN, type Manifest } from "./frozen.ts";

// Keeps this release in the folder that upgrades are tried from, with data that it made: by hand, once for each release.
const SLUG = "frozen-traders";
const CUSTOMERS = 20;
/** A mode that every company starts with. */
const CASH = 1;

type Created = { data: Record<string, unknown> & { id: string; admin_key: Record<string, string> } };

/** A call with these credentials; throws where it does not succeed. */
async function post(service: Service, path: string, headers: Record<string, string>, body: unknown) {
  const response = await fetch(service.url + path, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return ((await response.json()) as Created).data;
}

async function fill(service: Service): Promise<Data["key"]> {
  const platform = { Authorization: `Bearer ${PLATFORM_TOKEN}` };
  const company = { slug: SLUG, name: "Frozen Traders", state: "Karnataka" };
  const { admin_key: key } = await post(service, "/platform/companies", platform, company);
  const { client_id, client_secret } = key as Data["key"];
  const headers = { "X-Client-Id": client_id, "X-Client-Secret": client_secret };
  const line = { item_name: "Steel bottle", quantity: 3, unit: "NOS", unit_price: 99.99, tax_rate: 18 };
  const today = new Date().toISOString().slice(0, 10);
  for (let made = 0; made < CUSTOMERS; made += 1) {
    const customer = { name: `Customer ${made}`, state: "Karnataka", pincode: "560001" };
    const { id } = await post(service, `/v1/customers/${SLUG}`, headers, customer);
    const invoice = { customer_id: id, items: [{ ...line, hsn_sac_code: "732393" }] };
    const { id: invoiceId } = await post(service, `/v1/invoices/${SLUG}`, headers, invoice);
    const payment = { payment_date: today, payment_mode_id: CASH, invoice_id: invoiceId, amount: 100 };
    await post(service, `/v1/payments/${SLUG}`, headers, payment);
  }
  return { client_id, client_secret };
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
  const key = await fill(service);
  const control = new Stream({ url: `${service.libsql.url}/dev/control`, token: service.libsql.token });
  const [[database, number] = []] = await control.all(
    "SELECT database_name, schema_number FROM companies WHERE slug = ?",
    [SLUG],
  );
  await control.end();
  const name = String(database);
  const own = new Stream({ url: `${service.libsql.url}/dev/${name}`, token: service.libsql.token });
  const migrations = await appliedIn(own);
  await own.end();
  const dumps = { control: await dumpOf(service, "control"), [name]: await dumpOf(service, name) };
  const data: Data = { slug: SLUG, key, database: name, dumps };
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
