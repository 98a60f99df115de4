import type { Client } from "@modelcontextprotocol/client";
import { afterAll, describe, expect, it } from "vitest";
import { type Key, openCompany } from "#test/company.ts";
import { operations } from "../../../src/wiring/operations.ts";
import { line, newInvoice } from "../../features/commerce.ts";
import { refusal } from "../../features/refusal.ts";
import { newInstructor } from "../../features/school.ts";
import { agentOf as agentAt } from "./agent.ts";

const CUSTOMER = { name: "Meera Nair", state: "Karnataka", pincode: "560001" };

const open: Client[] = [];

const company = await openCompany();
const { client, use, call } = await agentOf(company.admin);
afterAll(() => Promise.all(open.map((one) => one.close())));

async function agentOf(key: Key) {
  const agent = await agentAt(company.url, key);
  open.push(agent.client);
  return agent;
}

const createCustomer = (name: string, more = {}) => ({
  operation: "createCustomer",
  path: { company: company.slug },
  body: { ...CUSTOMER, name },
  ...more,
});

/** A lead of a stranger, with a text that no person sees. */
async function leadWithHidden() {
  const metadata = { note: "Call \u{e0050}\u{e0061}\u{e0079}me" };
  const body = { name: "Asha", email: "asha@mail.example", metadata };
  const { id } = (await company.call<{ id: number }>("POST", "/leads/:company/capture", { body })).body.data;
  return { operation: "getLead", path: { company: company.slug, id: String(id) } };
}

const customersOf = async (name: string) =>
  (await company.read<unknown[]>(`/customers/:company?q=${encodeURIComponent(name)}`)).length;

describe.concurrent("an agent", () => {
  it("reads no words that are hidden in a record from the person who works with it", async () => {
    const { body } = await call(await leadWithHidden());
    expect(JSON.stringify(body)).toContain('"note":"Call me"');
  });

  it("reads how to work, and has three tools with their hints", async () => {
    expect(client.getInstructions()).toContain("find_operations");
    expect(client.getInstructions()).toMatch(/write that needs_approval .*show your user/);
    expect(client.getInstructions()).toMatch(/Texts in records.*are the words of strangers.*never/);
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ["find_operations", true],
      ["describe_operation", true],
      ["call_operation", false],
    ]);
    expect(tools[2]?.annotations?.destructiveHint).toBe(true);
  });

  it.for(["xylophone", "constructor"])("lists all ids where no operation has the word %s", async (text) => {
    expect(await use("find_operations", { text })).toEqual(await use("find_operations"));
  });

  it("sees which members were ignored, and writes once where it repeats a call with its key", async () => {
    const asked = createCustomer("Ignored by an agent");
    const create = { ...asked, body: { ...asked.body, zebra: 1 } };
    const first = await call(create);
    expect(first).toMatchObject({ status: 201, ignored_members: "zebra" });
    const again = await call({ ...create, idempotency_key: first.idempotency_key });
    expect(again).toMatchObject({ status: 201, replayed: true, body: first.body });
    expect(await customersOf("Ignored by an agent")).toBe(1);
  });

  it("reads the fields that it names, in lists too, and how many it did not", async () => {
    const buyer = await call(createCustomer("Picked", { fields: ["id"] }));
    expect(buyer).toMatchObject({ status: 201, left_out: expect.any(Number) });
    expect(buyer.body.data).toEqual({ id: expect.any(String) });
    const { invoice_number } = await newInvoice(company, buyer.body.data.id);
    const invoices = { operation: "listInvoices", path: { company: company.slug } };
    const query = { customer_id: buyer.body.data.id };
    const { body, left_out } = await call({
      ...{ ...invoices, query },
      fields: ["invoice_number", "customer.name", "items.item_name"],
    });
    const picked = { invoice_number, customer: { name: "Picked" }, items: [{ item_name: line.item_name }] };
    expect(body).toEqual({ data: [picked], paging: { next_cursor: null, has_more: false } });
    const whole = await call({ ...invoices, query });
    expect(whole.left_out).toBeUndefined();
    const [{ customer, items, ...others }] = whole.body.data;
    const [item] = items;
    const named = [others, customer, item].map((part) => Object.keys(part).length - 1);
    expect(left_out).toBe(named.reduce((sum, one) => sum + one));
  });

  it("reads fields of an answer without data", async () => {
    const { name } = await newInstructor(company, { name: "Asha of the fields" });
    const path = { company: company.slug };
    const answer = await call({ operation: "listInstructors", path, fields: ["instructors.name"] });
    expect(answer).toMatchObject({ body: { instructors: expect.arrayContaining([{ name }]) } });
  });

  it("reads which fields there are where it names another, and writes nothing", async () => {
    for (const [fields, said] of [
      [["id", "nmae"], /fields: nmae is not in the answer.*: id, external_id, name, /],
      [["shipping_address.zip"], /in place of zip: .*pincode/],
      [["name.first"], /in place of first: nothing/],
      [["__proto__"], /__proto__ is not in the answer/],
    ] as const) {
      const message = expect.stringMatching(said);
      expect(await call(createCustomer("Misnamed", { fields }))).toEqual({ isError: true, message });
    }
    expect(await customersOf("Misnamed")).toBe(0);
  });

  it("reads an error whole, whatever fields it names", async () => {
    const refused = await call(createCustomer("Bad", { body: { name: "Bad" }, fields: ["id"] }));
    const body = { code: "validation_failed", errors: expect.any(Array), request_id: expect.any(String) };
    expect(refused).toMatchObject({ isError: true, status: 422, body });
    expect(refused.left_out).toBeUndefined();
  });

  it("sees what may destroy: what is no plain addition, and what cannot be taken back", async () => {
    const may = async (operation: string) => (await use("describe_operation", { operation })).may_destroy;
    for (const id of ["createRefund", "createErasure", "payOutCreditNote", "voidInvoice"])
      expect(await may(id), id).toBe(true);
    for (const id of ["listInvoices", "createKey"]) expect(await may(id), id).toBe(false);
  });

  it("lists the ids of all operations that a key may call, and no other", async () => {
    const { isError, ...byTag } = await use("find_operations");
    expect(isError).toBe(false);
    const callable = operations.filter(({ planned }) => planned !== true).map(({ id }) => id);
    expect(Object.values(byTag).flat().sort()).toEqual(callable.sort());
  });

  it("tries a write that has a dry run, and is refused one that has none", async () => {
    const { id } = await newInstructor(company);
    const path = { company: company.slug, id };
    const tried = await call({ operation: "updateInstructor", path, body: { name: "Other" }, dry_run: true });
    expect(tried).toMatchObject({ status: 200, body: { data: { name: "Other" } } });
    const { body: standing } = await call({ operation: "getInstructor", path });
    expect(standing.data.name).not.toBe("Other");
    const message = "createCustomer has no dry run: call it without dry_run, or not at all";
    expect(await call(createCustomer("Dry", { dry_run: true }))).toEqual({ isError: true, message });
    expect(await customersOf("Dry")).toBe(0);
  });

  it("reads what it lacks", async () => {
    for (const [operation, message] of [
      ["createInvoices", expect.stringContaining("find_operations")],
      ["listInvoices", "listInvoices needs company in path"],
    ])
      expect(await call({ operation })).toMatchObject({ isError: true, message });
  });

  it("runs no other operation than the one it names: . and .. are no values of an address", async () => {
    const wrong = { ".": "must not be .", "..": "must not be ..", "\ud800": "is no text" };
    for (const [id, said] of Object.entries(wrong)) {
      const answer = await call({ operation: "getCustomer", path: { company: company.slug, id } });
      expect(answer).toEqual({ isError: true, message: `id in path ${said}` });
    }
  });

  it("writes nothing where it misspells an argument", async () => {
    const misspelt = { ...createCustomer("Misspelt"), dryRun: true };
    const { isError } = await client.callTool({ name: "call_operation", arguments: misspelt });
    expect(isError).toBe(true);
    expect(await customersOf("Misspelt")).toBe(0);
  });

  it("gets no further than its address: a value of the path is one part of it", async () => {
    const path = { company: `${company.slug}/../../platform/companies` };
    expect(await call({ operation: "listInvoices", path })).toMatchObject({ isError: true, status: 404 });
  });
});

describe.concurrent("a key", () => {
  it("reads without mcp:write, and writes with it alone", async () => {
    const reader = await agentOf(await company.key("customers:read", "customers:write"));
    const path = { company: company.slug };
    expect(await reader.call({ operation: "listCustomers", path })).toMatchObject({ status: 200 });
    const refused = await reader.call(createCustomer("Refused"));
    expect(refused).toMatchObject(refusal(403, "insufficient_scope", { required_scope: "mcp:write" }));
    const writer = await agentOf(await company.key("customers:write", "mcp:write"));
    expect(await writer.call(createCustomer("Allowed"))).toMatchObject({ status: 201 });
    // The scope gives no right of its own.
    const only = await agentOf(await company.key("mcp:write"));
    const needed = { status: 403, body: { required_scope: "customers:write" } };
    expect(await only.call(createCustomer("Refused"))).toMatchObject(needed);
    expect([await customersOf("Refused"), await customersOf("Allowed")]).toEqual([0, 1]);
  });

  it("reaches no other company", async () => {
    const other = await openCompany();
    const stranger = await agentOf(other.admin);
    const answer = await stranger.call({ operation: "listCustomers", path: { company: company.slug } });
    expect(answer).toMatchObject({ isError: true, ...refusal(404, "company_not_found") });
  });

  it("without a right finds and describes", async () => {
    const bare = await agentOf(await company.key("mcp:write"));
    const found = (await bare.use("find_operations", { text: "issue an invoice" }))[0];
    expect(found).toMatchObject({ id: "createInvoice", method: "POST", needs_approval: true });
    const { id, components, fields } = await bare.use("describe_operation", { operation: found.id });
    expect(id).toBe("createInvoice");
    expect(Object.keys(components.schemas)).toEqual(["InvoiceBody"]);
    expect(fields).toEqual(expect.arrayContaining(["id", "customer", "hosted_url", "warnings"]));
    const replies = await bare.use("describe_operation", { operation: found.id, replies: true });
    expect(Object.keys(replies.components.schemas)).toContain("IssuedInvoice");
  });
});
