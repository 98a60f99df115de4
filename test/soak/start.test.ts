import { stat } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { describe, expect, it, vi } from "vitest";
import { SCOPES } from "#api/operations/scopes.ts";
import type { Key } from "../../src/sandbox/api.ts";
import { findFreePort } from "../../src/sandbox/database-server/free-port.ts";
import { DEMO_SLUGS } from "../../src/sandbox/demo/demo.ts";
import { buy, expectThanks } from "./buyer.ts";
import {
  ask,
  askForCustomers,
  childrenOf,
  exitCode,
  expectFreePorts,
  goesOn,
  listeningPorts,
  outcomeWithout,
  paste,
  place,
  printedCalls,
  readCredentials,
  refusal,
  signed,
  start,
  usePlace,
} from "./started.ts";

await usePlace();

describe("npm start", { timeout: 300_000 }, () => {
  it("brings up a demo that the printed lines work on, and ends with Ctrl-C", async () => {
    const { child, output } = await start();
    const credentials = await readCredentials();
    const administrator = {
      client_id: expect.stringMatching(/^ck_/),
      client_secret: expect.stringMatching(/^sk_/),
    };
    expect(credentials).toEqual({
      base_url: `http://localhost:${place.port}/v1`,
      alt_base_url: `http://localhost:${place.port}/api/v1`,
      sandbox_url: `http://localhost:${place.sandboxPort}`,
      platform_token: expect.stringMatching(/^[\w-]{43}$/),
      company: "demo-traders",
      secret_key: administrator,
      admin_keys: Object.fromEntries(DEMO_SLUGS.map((slug) => [slug, administrator])),
      publishable_key: {
        client_id: expect.stringMatching(/^pk_/),
        origin: `http://localhost:${place.sandboxPort}`,
        company: "demo-driving",
      },
      webhook_secrets: { "demo-traders": expect.stringMatching(/^whsec_[\w+/]+=*$/) },
      worker: expect.objectContaining({ MASTER_KEY: expect.any(String) }),
    });
    for (const [slug, key] of Object.entries<Key>(credentials.admin_keys)) {
      expect(output).toContain(
        `${slug}\n  X-Client-Id      ${key.client_id}\n  X-Client-Secret  ${key.client_secret}`,
      );
      const made = await fetch(`${credentials.base_url}/settings/${slug}/keys`, {
        method: "POST",
        headers: signed(key),
        body: JSON.stringify({ name: "Another", type: "secret", scopes: SCOPES }),
      });
      expect(made.status).toBe(201);
    }

    const [list = "", customer = "", invoice = ""] = printedCalls(output);
    expect((await paste(list)).data).toHaveLength(12);
    expect((await paste(customer)).data).toMatchObject({ id: "13", name: "Meera Traders", state_code: "29" });
    const issued = { customer: { name: "Kaveri Stationers" }, total_amount: 2124 };
    expect((await paste(invoice)).data).toMatchObject(issued);

    const { client_id, origin, company } = credentials.publishable_key;
    const locations = await fetch(`${credentials.alt_base_url}/schools/${company}/locations`, {
      headers: { "X-Client-Id": client_id, Origin: origin },
    });
    const pickup = { name: "Burwood station pickup", postcode: "2134" };
    // The limiter's object is bound, as all of wrangler.toml is.
    expect(locations.headers.get("X-RateLimit-Limit")).toBe("120");
    expect(await locations.json()).toMatchObject({ success: true, locations: [pickup, {}, {}] });
    for (const told of ["database server", "Worker built", "Worker answers", "demo companies, made once"])
      expect(output).toMatch(new RegExp(`done.* ${told} .*\\d\\.\\d s`));
    for (const path of ["docs", "docs/"]) expect((await ask(place.port, `/${path}`)).status).toBe(200);
    const filled = await fetch(`http://localhost:${place.port}/docs/demo.json`);
    expect(filled.headers.get("Access-Control-Allow-Origin")).toBeNull();
    const { content, securitySchemes } = JSON.parse(await filled.text());
    expect(content.components.parameters).toMatchObject({
      company: { example: "demo-traders" },
      school: { example: "demo-driving" },
    });
    const school = credentials.admin_keys["demo-driving"];
    expect(securitySchemes).toEqual({
      clientId: { value: credentials.secret_key.client_id },
      clientSecret: { value: credentials.secret_key.client_secret },
      schoolId: { value: school.client_id },
      schoolSecret: { value: school.client_secret },
      platformToken: { token: credentials.platform_token },
    });
    const reference = await (await fetch(`http://localhost:${place.port}/docs/reference.js`)).text();
    expect(reference).toContain("/docs/demo.json");
    expect(await (await fetch(`http://localhost:${place.port}/`)).text()).toContain('href="/docs"');
    expect(await (await fetch(credentials.sandbox_url)).text()).toContain(
      `http://localhost:${place.port}/docs`,
    );
    expect(await (await fetch(`${credentials.sandbox_url}/booking`)).text()).toContain(
      `client-id="${client_id}"`,
    );
    const widget = await fetch(`http://localhost:${place.port}/widget/v1/booking-widget.js`);
    expect(Object.fromEntries(widget.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=86400, stale-while-revalidate=604800",
      "content-type": "text/javascript; charset=utf-8",
      "x-content-type-options": "nosniff",
    });
    expect(await widget.text()).toContain("booking-widget");
    expect(await buy(credentials, "INR")).toEqual({ gateway: "razorpay", invoiced: 200 });
    expect(await buy(credentials, "GBP")).toEqual({ gateway: "stripe", invoiced: 200 });
    expect(await buy(credentials, "USD")).toEqual({ gateway: "paypal", invoiced: 200 });
    const shelf = await fetch(`${credentials.sandbox_url}/shop/api/products`);
    expect(JSON.parse(await shelf.text()).data).toHaveLength(8);

    const { secret_key: key, base_url: base, sandbox_url: sandbox } = credentials;
    await expectThanks(sandbox, 3);
    const sms = { to: "919845000001", message: "Your order 1042 is ready." };
    const sent = await fetch(`${base}/messaging/demo-traders/sms`, {
      method: "POST",
      headers: signed(key),
      body: JSON.stringify(sms),
    });
    expect(sent.status).toBe(202);
    // The number is one of those whose messages are delivered by themselves.
    const told = async () => JSON.parse(await (await fetch(`${sandbox}/messages?to=${sms.to}`)).text()).data;
    await expect
      .poll(told, { timeout: 40_000 })
      .toMatchObject([{ text: sms.message, events: [{ name: "delivered", answer: 200 }] }]);

    const others = { PORT: String(await findFreePort()), SANDBOX_PORT: String(await findFreePort()) };
    for (const flags of [[], ["--fresh"]])
      expect(await refusal(others, flags)).toBe(
        `${place.dataDir} is in use: process ${child.pid} runs on it at http://localhost:${place.port}. End that one first (Ctrl-C there), or set DATA_DIR, PORT and SANDBOX_PORT for a second one\n`,
      );
    expect(await readCredentials()).toEqual(credentials);
    expect((await paste(list)).data).toHaveLength(14);
    expect(await refusal({ SANDBOX_PORT: "1" })).toBe(`Port ${place.port} is taken: set PORT to another\n`);
    child.kill("SIGINT");
    await expectFreePorts();
    expect(await exitCode(child)).toBe(0);
  });

  it("opens no door that acts without a credential, nor one for pages of other addresses, and ends with an error when its Worker does", async () => {
    const { child } = await start();
    const group = (await childrenOf(child))[1];
    const ports = await listeningPorts(Number(group));
    expect(ports).toContain(place.port);
    for (const door of ports) {
      for (const path of ["/json", "/json/list", "/json/version"]) {
        const answer = await ask(door, path, "GET", { Host: `localhost:${door}` });
        expect(answer.text).not.toContain("webSocketDebuggerUrl");
        expect(answer.text).not.toContain("workerd");
      }
    }
    for (const path of [
      "local/explorer/api/r2/buckets",
      "explorer/api/r2/buckets",
      "explorer",
      "local/explorer",
    ])
      expect(await ask(place.port, `/cdn-cgi/${path}`)).toMatchObject({ status: 404 });
    // The minute's cron still runs.
    expect(await ask(place.port, "/cdn-cgi/local/scheduled")).toMatchObject({ status: 200 });

    const own = { Host: `127.0.0.1:${place.sandboxPort}` };
    expect(await ask(place.sandboxPort, "/messages", "GET", own)).toMatchObject({ status: 200 });
    for (const Host of [
      "shop.example.com",
      `shop.example.com:${place.sandboxPort}`,
      "localhost",
      "localhost:1",
    ])
      expect(await ask(place.sandboxPort, "/messages", "GET", { Host })).toMatchObject({ status: 403 });
    const pay = (Origin: string) => ask(place.sandboxPort, "/pay/razorpay/none", "POST", { ...own, Origin });
    for (const origin of ["https://shop.example.com", "null", `https://localhost:${place.sandboxPort}`])
      expect(await pay(origin)).toMatchObject({ status: 403 });
    for (const origin of [`http://localhost:${place.sandboxPort}`, `http://127.0.0.1:${place.port}`])
      expect((await pay(origin)).status).not.toBe(403);
    const ended = {
      code: 1,
      told: `The Worker ended by itself: ${place.dataDir}/worker.log may say why. ${goesOn()}`,
    };
    expect(await outcomeWithout(child, "Worker")).toEqual(ended);
  });

  it("keeps its data, and ends when the process is killed outright", async () => {
    const before = await readCredentials();
    // Clients do not wait until everything is up.
    const impatient = setInterval(() => askForCustomers(before), 50);
    const { child, output } = await start().finally(() => clearInterval(impatient));
    expect(await readCredentials()).toEqual(before);
    expect((await stat(place.dataDir)).mode & 0o777).toBe(0o700);
    const [list = ""] = printedCalls(output);
    // So many impatient calls may get this one shed, with the word to try again.
    const { data } = await vi.waitFor(() => paste(list), 15_000);
    expect(data.slice(0, 2)).toMatchObject([{ name: "Asha" }, { name: "Meera Traders" }]);
    child.kill("SIGKILL");
    await expectFreePorts();
  });

  it("ends with an error when its database server does, and starts on a folder whose first keys were made weaker: it says what is missing and how to get it back", async () => {
    const first = await start();
    const { admin_keys, base_url } = await readCredentials();
    for (const [slug, key] of Object.entries<Key>(admin_keys)) {
      const narrowed = await fetch(`${base_url}/settings/${slug}/keys/${key.client_id}`, {
        method: "PATCH",
        headers: signed(key),
        body: JSON.stringify({ scopes: ["customers:read"] }),
      });
      expect(narrowed.status).toBe(200);
    }
    const told = `The database server ended by itself: ${place.dataDir}/sqld/sqld.log says why. ${goesOn()}`;
    expect(await outcomeWithout(first.child, "database server")).toEqual({ code: 1, told });
    const formerPort = place.sandboxPort;
    place.sandboxPort = await findFreePort();
    const { child } = await start();
    const errors = text(child.stderr);
    child.kill("SIGINT");
    await expectFreePorts();
    place.sandboxPort = formerPort;
    for (const slug of ["traders", "driving"]) expect(await errors).toContain(`company key demo-${slug}`);
    expect(await errors).toContain("--fresh");
  });
});
