import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { operations } from "../../src/wiring/operations.ts";
import { newCustomer } from "../features/commerce.ts";
import { newBoard } from "../features/projects/board.ts";
import { controlRows, must, openBusy, openCompany, type TestCompany } from "../support/company.ts";
import type { Answer } from "../support/http.ts";
import { exampleBody, type Prepared, prepare } from "../support/operations.ts";
import { expectSound } from "../support/oracles.ts";

// One operation of each kind of database, and the table where its record is.
const CREATIONS = [
  { id: "createInvoice", table: "invoices" },
  { id: "createKey", table: "api_keys" },
];
const DAY = 86_400;

// The tests share a company, whose clock goes forward only.
let shifted = 0;
const prepared = new Map<string, Prepared>();
const company = await openBusy();

async function callOf(id: string): Promise<Prepared> {
  const operation = operations.find((one) => one.id === id) ?? never();
  const call = prepared.get(id) ?? (await prepare(company, operation));
  prepared.set(id, call);
  return call;
}

function send(company: TestCompany, { method, path, body }: Prepared, key: string, more: object = {}) {
  return company.call(method, path, { body, headers: { "Idempotency-Key": key }, ...more });
}

async function count(company: TestCompany, table: string): Promise<number> {
  const sql = `SELECT count(*) AS n FROM ${table}`;
  const own = "WHERE company_id = (SELECT id FROM companies WHERE slug = ?)";
  const isKey = table === "api_keys";
  const [row] = await (isKey ? controlRows(`${sql} ${own}`, company.slug) : company.rows(sql));
  return Number(row?.n);
}

const texts = (answers: Answer[]) => new Set(answers.map(({ status, text }) => `${status} ${text}`));

describe.each(CREATIONS)("$id", ({ id, table }) => {
  test("makes one record for 100 concurrent retries, who all get the same bytes", async () => {
    const call = await callOf(id);
    const before = await count(company, table);
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(company, call, key)));
    expect(texts(answers).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(answers.filter(({ headers }) => headers.get("Idempotent-Replayed") === null)).toHaveLength(1);
    expect(await count(company, table)).toBe(before + 1);
    await expectSound(company);
  });

  test("makes a new record for the key 24 hours and 1 second later, and none before", async () => {
    const call = await callOf(id);
    const key = randomUUID();
    const first = await send(company, call, key);
    const before = await count(company, table);
    await company.clock(shifted + DAY - 60);
    expect((await send(company, call, key)).text).toBe(first.text);
    expect(await count(company, table)).toBe(before);
    shifted += DAY + 1;
    await company.clock(shifted);
    const later = must(await send(company, call, key), 201);
    expect(later.headers.get("Idempotent-Replayed")).toBeNull();
    expect(later.text).not.toBe(first.text);
    expect(await count(company, table)).toBe(before + 1);
    await expectSound(company);
  });
});

test("an invoice is issued once for 100 concurrent retries while the database loses its answers after the commit", async () => {
  const call = await callOf("createInvoice");
  const before = await count(company, "invoices");
  await company.faults({ kind: "reset_after", times: 2, writes_only: true });
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 100 }, () => send(company, call, key)));
  expect(texts(answers).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  expect(await count(company, "invoices")).toBe(before + 1);
  await expectSound(company);
});

describe("a key that was used", () => {
  const customer = { name: "Meera Traders", state: "Karnataka", pincode: "560001" };
  const call: Prepared = { method: "POST", path: "/customers/:company", body: customer };

  test("still gives the first answer when the record has changed or is gone", async () => {
    const key = randomUUID();
    const first = must(await send(company, call, key), 201);
    const path = `/customers/:company/${first.body.data.id}`;
    must(await company.call("PATCH", path, { body: { name: "Meera & Sons" } }), 200);
    expect((await send(company, call, key)).text).toBe(first.text);
    must(await company.call("DELETE", path), 200);
    expect((await send(company, call, key)).text).toBe(first.text);
  });

  test("is refused with another body, byte for byte, and writes nothing", async () => {
    const key = randomUUID();
    must(await send(company, call, key), 201);
    const before = await count(company, "customers");
    const others = [{ ...customer, name: "Other" }, JSON.stringify(customer, null, 1)];
    for (const body of others) {
      const answer = await send(company, { ...call, body }, key);
      expect(answer).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
    }
    expect(await count(company, "customers")).toBe(before);
  });

  test.each([
    ["deleteCustomer", oneCustomer],
    ["startSprint", oneSprint],
  ])(
    "is refused with a body where %s takes none and had none, and the other way about",
    async (_id, ready) => {
      for (const [first, second] of [
        [undefined, { reason: "mistake" }],
        [{ reason: "mistake" }, undefined],
        ["not json", "nor this"],
      ]) {
        const bare = await ready();
        const key = randomUUID();
        const done = must(await send(company, { ...bare, body: first }, key), 200);
        const reused = await send(company, { ...bare, body: second }, key);
        expect(reused).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
        const same = await send(company, { ...bare, body: first }, key);
        expect([same.text, same.headers.get("Idempotent-Replayed")]).toEqual([done.text, "true"]);
      }
    },
  );

  test("may be used again when the first call was refused", async () => {
    const key = randomUUID();
    const wrong = await send(company, { ...call, body: { ...customer, pincode: "" } }, key);
    expect(wrong.status).toBe(422);
    expect((await send(company, call, key)).status).toBe(201);

    const example = exampleBody(operations.find(({ id }) => id === "createCustomer") ?? never());
    const body = { ...Object(example), gstin: "29AAGCB7383J1Z4" };
    const holder = must(await company.call("POST", call.path, { body }), 201);
    const retried = randomUUID();
    expect((await send(company, { ...call, body }, retried)).body.code).toBe("duplicate_customer");
    must(await company.call("DELETE", `/customers/:company/${holder.body.data.id}`), 200);
    expect((await send(company, { ...call, body }, retried)).status).toBe(201);
  });

  test("is another one for another API key, another address and another company", async () => {
    const key = randomUUID();
    const elsewhere = await openCompany();
    const other = await company.key("customers:write");
    const location = {
      method: "POST",
      path: "/settings/:company/locations",
      body: { name: "Office", type: "office" },
    };
    const answers = [
      await send(company, call, key),
      await send(company, call, key, { key: other }),
      await send(company, location, key),
      await send(elsewhere, call, key),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(201);
      expect(answer.headers.get("Idempotent-Replayed")).toBeNull();
    }
  });

  test("may stand in quotes, as a structured field has it", async () => {
    const key = randomUUID();
    const first = must(await send(company, call, `"${key}"`), 201);
    expect((await send(company, call, key)).text).toBe(first.text);
  });

  test("checks credentials and scope again before it answers", async () => {
    const key = randomUUID();
    const writer = await company.key("customers:write");
    must(await send(company, call, key, { key: writer }), 201);
    const path = `/settings/:company/keys/${writer.client_id}`;
    must(await company.call("PATCH", path, { body: { scopes: ["customers:read"] } }), 200);
    expect((await send(company, call, key, { key: writer })).status).toBe(403);
    must(await company.call("DELETE", path), 200);
    expect((await send(company, call, key, { key: writer })).status).toBe(401);
  });

  test.each(["", '""', "with space", "a".repeat(256), "caf\u00e9"])("is 400 when it is %j", async (key) => {
    const answer = await send(company, call, key);
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_idempotency_key" } });
  });

  test("has up to 255 characters, and is ignored where nothing is written", async () => {
    expect((await send(company, call, "a".repeat(255))).status).toBe(201);
    expect((await send(company, { ...call, method: "GET", body: undefined }, "with space")).status).toBe(200);
  });
});

async function oneCustomer(): Promise<Prepared> {
  const { id } = await newCustomer(company);
  return { method: "DELETE", path: `/customers/:company/${id}`, body: undefined };
}

async function oneSprint(): Promise<Prepared> {
  const board = await newBoard(company);
  const { id } = await board.sprint();
  return {
    method: "POST",
    path: `/projects/:company/projects/${board.id}/sprints/${id}/start`,
    body: undefined,
  };
}

function never(): never {
  throw new Error("The table has no such operation");
}
