import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, inject, test } from "vitest";
import { openCompany } from "#test/company.ts";

test("an agent that knows a host and a key issues an invoice: /llms.txt leads it, and the tools show the rest", async () => {
  const { url } = inject("service");
  const { slug, admin } = await openCompany();
  const llms = await (await fetch(`${url}/llms.txt`)).text();

  const [, address = ""] = /\bthrough (\S+)\.$/m.exec(llms) ?? [];
  const [, id = ""] = /\bheaders ([\w-]+) and/.exec(llms) ?? [];
  const [, secret = ""] = /\bheaders [\w-]+ and ([\w-]+)\./.exec(llms) ?? [];
  const client = new Client({ name: "test", version: "1.0.0" });
  const headers = { [id]: admin.client_id, [secret]: String(admin.client_secret) };
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }));

  async function use(name: string, args: Record<string, unknown>) {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const [first] = content as { text: string }[];
    expect(isError, first?.text).toBeFalsy();
    return JSON.parse(first?.text ?? "");
  }
  /** Calls what the index says of a method and a path, with the example of its description. */
  async function follow(line: RegExp, more: Record<string, unknown> = {}) {
    const [, summary = ""] = line.exec(llms) ?? [];
    const [{ id: operation }] = await use("find_operations", { text: summary });
    const { body, parameters } = await use("describe_operation", { operation });
    const names = parameters.filter(({ in: place }: { in: string }) => place === "path");
    const path = Object.fromEntries(names.map(({ name }: { name: string }) => [name, slug]));
    const { example } = body["application/json"];
    return use("call_operation", { operation, path, body: { ...example, ...more } });
  }

  const customer = await follow(/^POST \/customers\/\{company\}: (.+)$/m);
  const invoice = await follow(/^POST \/invoices\/\{company\}: (.+)$/m, {
    customer_id: customer.body.data.id,
  });
  expect(invoice.status).toBe(201);
  expect(invoice.body.data).toMatchObject({ payment_status: "unpaid", customer_id: customer.body.data.id });
  await client.close();
});

test("each link of /llms.txt answers, and each of this host in what it leads to", async () => {
  const { url } = inject("service");
  const linksOf = (text: string) => [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const links = linksOf(await (await fetch(`${url}/llms.txt`)).text());
  expect(links.length).toBeGreaterThan(8);
  const pages = await Promise.all(links.map(async (link) => (await fetch(link)).text()));
  const local = pages.flatMap(linksOf).filter((link) => !/^(?:https?:|#)/.test(link));
  const all = [...new Set([...links, ...local.map((link) => new URL(link, url).href)])];
  const statuses = await Promise.all(all.map(async (link) => [link, (await fetch(link)).status]));
  expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
});
