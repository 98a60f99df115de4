import { mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { useFolder } from "#test/folder.ts";
import { DataFolder } from "../../src/sandbox/data-folder/data-folder.ts";
import { findFreePort } from "../../src/sandbox/database-server/free-port.ts";
import { serve } from "../../src/sandbox/server/node-handler.ts";
import { startProviders } from "../../src/sandbox/server/start-server.ts";
import { loadApp } from "../../src/wiring/areas.ts";
import { ENVIRONMENT } from "../support/environment.ts";

const KEY = { client_id: "ck_admin", client_secret: "sk_admin" };

const place = useFolder();

const sandboxPort = await findFreePort();
const app = await loadApp("root");
const env = { ...ENVIRONMENT, SANDBOX: `http://127.0.0.1:${sandboxPort}` };
const api = await serve((asked) => app.request(asked, {}, env), 0);
const ports = { port: (api.address() as AddressInfo).port, sandboxPort };
const folder = new DataFolder(place("data"), false, "http://localhost:1");
const publishable_key = { client_id: "ck_page", origin: "http://localhost:1" };
folder.remember({
  demo: {
    traders: { admin_key: KEY, customer_id: "1", shop_key: KEY, site_key: KEY },
    sellers: {},
    driving: { admin_key: KEY, publishable_key },
  },
});
const dataDir = folder.path;
mkdirSync(folder.file("assets/docs"), { recursive: true });
const components = { parameters: { company: { schema: {} } }, securitySchemes: {} };
writeFileSync(folder.file("assets/docs/document.json"), JSON.stringify({ paths: {}, components }));
const providers = await startProviders({ ...ports, dataDir, fresh: false, verbose: false }, folder);
afterAll(async () => {
  await providers[Symbol.asyncDispose]();
  api.close();
});

/** Asks 127.0.0.1 under any name, as a browser does once a page's own name leads there. */
async function read(port: number, page: string, headers: Record<string, string>) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  request({ host: "127.0.0.1", port, path: page, headers }, async (answer) =>
    resolve({ status: answer.statusCode ?? 0, body: await text(answer) }),
  )
    .on("error", reject)
    .end();
  return await promise;
}

const readDemo = (headers: Record<string, string>) => read(ports.port, "/docs/demo.json", headers);

test.each(["localhost", "127.0.0.1", "[::1]"])(
  "the reference page at %s has the demo's key",
  async (name) => {
    const Host = `${name}:${ports.port}`;
    const sites = ["same-origin", "none"].map((site) => ({ "Sec-Fetch-Site": site }));
    for (const more of [{}, ...sites, { Origin: `http://${Host}` }]) {
      const { status, body } = await readDemo({ Host, ...more });
      expect(status, JSON.stringify(more)).toBe(200);
      expect(JSON.parse(body)).toMatchObject({
        content: { components: { parameters: { company: { example: "demo-traders" } } } },
        securitySchemes: { clientId: { value: KEY.client_id }, clientSecret: { value: KEY.client_secret } },
      });
    }
  },
);

test.each<[string, () => Record<string, string>]>([
  ["a name that leads here", () => ({ Host: `evil.example:${ports.port}` })],
  ["another port", () => ({ Host: "localhost:1" })],
  ["no port", () => ({ Host: "localhost" })],
  ["a page of another site", () => ({ Host: own(), "Sec-Fetch-Site": "cross-site" })],
  ["a page of another port", () => ({ Host: own(), "Sec-Fetch-Site": "same-site" })],
  ["another origin", () => ({ Host: own(), Origin: "http://evil.example" })],
  ["an origin without a name", () => ({ Host: own(), Origin: "null" })],
])("%s gets no key", async (_, headers) => {
  const { status, body } = await readDemo(headers());
  expect(status).toBe(404);
  expect(body).not.toContain("sk_admin");
});

test("the sandbox's own port gives the key to the Worker alone", async () => {
  const Host = `localhost:${ports.sandboxPort}`;
  const { status, body } = await read(ports.sandboxPort, "/reference.json", { Host });
  expect(status).toBe(403);
  expect(body).not.toContain("sk_admin");
});

test("a merchant's page without a name sends its payer to the sandbox's checkout, and changes nothing else", async () => {
  const post = (path: string) =>
    fetch(`http://localhost:${ports.sandboxPort}${path}`, {
      method: "POST",
      headers: { Origin: "null", "Content-Type": "application/x-www-form-urlencoded" },
      body: "order_id=order_1&callback_url=http://localhost:1/a&cancel_url=http://localhost:1/b",
      redirect: "manual",
    });
  expect((await post("/razorpay/v1/checkout/embedded")).status).toBe(303);
  expect((await post("/pay/razorpay/order_1")).status).toBe(403);
});

function own(): string {
  return `localhost:${ports.port}`;
}
