import { connect as openSocket } from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import type { Operation } from "#api/operations/operation.ts";
import { platformOperations } from "../../../src/wiring/operations.ts";
import { connect } from "../../features/messaging/provider.ts";
import { refusal } from "../../features/refusal.ts";
import { credentials, openBusy } from "../../support/company.ts";
import { connectGateway } from "../../support/gateways.ts";
import { type Answer, send } from "../../support/http.ts";
import { pathOf, writes } from "../../support/operations.ts";
import { ownService } from "../../support/own-service.ts";
import { CHATAPP_APP_SECRET, PLATFORM_TOKEN } from "../../support/service.ts";
import { ALL, type Body, bytes, FORMS, GARBAGE, JSON_TYPE, STRANGE } from "./broken-bodies.ts";
import { BY_GATEWAY, BY_PROVIDER, hmac, type ProviderKind } from "./signatures.ts";

const lines: string[] = [];
// That a signed event has another form, or another type, than documented is said, and is no failure of ours.
const faults = () => lines.filter((line) => /"fault":"(?!callback_(?:form|type)")/.test(line));

const service = await ownService([], {
  hear: (line) => lines.push(line),
  variables: { LOG: "on" },
});
const company = await openBusy({}, service.address);

beforeEach(() => {
  lines.length = 0;
});

const inJson = [...writes, ...platformOperations].filter(
  ({ body, form }) => body !== undefined && form !== "always",
);

const inForms = writes.filter(({ form }) => form !== undefined);

function give(operation: Operation, { body, type = JSON_TYPE }: Body): Promise<Answer> {
  const method = operation.method.toUpperCase();
  const headers = { "Content-Type": type };
  if (operation.scope !== "platform") return company.call(method, pathOf(operation), { body, headers });
  const token = { Authorization: `Bearer ${PLATFORM_TOKEN}` };
  const path = operation.path.replace(":slug", "no-such-company").replace(":name", "no-such-database");
  return send(method, path, { body, headers: { ...token, ...headers }, service: service.address });
}

test.each(Object.entries(GARBAGE))("%s is 400 for every operation that takes JSON", async (_, body) => {
  const answers = await Promise.all(
    inJson.map(async (operation) => [operation.id, await give(operation, body)] as const),
  );
  for (const [id, answer] of answers)
    expect(answer, id).toMatchObject({ status: 400, body: { code: "invalid_json" } });
  expect(faults()).toEqual([]);
});

test.each(Object.entries(STRANGE))("%s is no fault of any operation that takes JSON", async (_, body) => {
  const answers = await Promise.all(
    inJson.map(async (operation) => [operation.id, await give(operation, body)] as const),
  );
  for (const [id, { status, text }] of answers) expect(status, `${id} ${text}`).toBeLessThan(500);
  expect(faults()).toEqual([]);
});

test.each(Object.entries(FORMS))("a form with %s is 4xx", async (_, body) => {
  expect(inForms.length).toBeGreaterThan(1);
  for (const operation of inForms) {
    const answer = await give(operation, { body, type: "multipart/form-data; boundary=x" });
    expect(answer.status, `${operation.id} ${answer.text}`).toBeOneOf([400, 404, 409, 415, 422]);
  }
  expect(faults()).toEqual([]);
});

test("what is no form at all is 4xx where only a form will do", async () => {
  for (const operation of inForms)
    for (const [name, body] of Object.entries(ALL)) {
      const { status, text } = await give(operation, body);
      expect(status, `${operation.id} ${name} ${text}`).toBeLessThan(500);
    }
  expect(faults()).toEqual([]);
});

describe("payment gateways", () => {
  test.each(Object.keys(BY_GATEWAY) as (keyof typeof BY_GATEWAY)[])(
    "%s: what is no JSON is 400 unless it is signed, and nothing strange is a fault",
    async (kind) => {
      const connected = await connectGateway(company, kind);
      const deliver = (given: Body, signed: boolean) => {
        const body = typeof given.body === "string" ? bytes(given.body) : given.body;
        const headers = signed ? BY_GATEWAY[kind](connected, body) : {};
        const path = `/storefront/:company/webhook/${kind}`;
        return company.call("POST", path, {
          key: null,
          body,
          headers: { "Content-Type": given.type ?? JSON_TYPE, ...headers },
        });
      };
      for (const [name, body] of Object.entries({ ...GARBAGE, nothing: { body: "" } })) {
        // PayPal's own service judges its signatures, by what the event says.
        expect((await deliver(body, true)).status, name).toBe(kind === "paypal" ? 400 : 200);
        expect(await deliver(body, false), name).toMatchObject(refusal(400, "invalid_signature"));
      }
      for (const [name, body] of Object.entries(STRANGE))
        expect((await deliver(body, true)).status, name).toBeLessThan(500);
      expect(faults()).toEqual([]);
      const rows = await company.rows("SELECT outcome FROM gateway_events GROUP BY outcome");
      expect(rows.every(({ outcome }) => outcome === "ignored")).toBe(true);
    },
  );
});

describe("message providers", () => {
  const TYPES = [JSON_TYPE, "application/x-www-form-urlencoded"];

  test.each<ProviderKind>(["msg91", "exotel", "twilio", "http-sms", "resend", "postmark"])(
    "%s: nothing that comes to its address is a fault",
    async (kind) => {
      const { callback_url, config } = await connect(company, kind);
      for (const [name, { body: given, type }] of Object.entries({ ...ALL, nothing: { body: "" } as Body })) {
        const body = typeof given === "string" ? bytes(given) : given;
        for (const each of type === undefined ? TYPES : [type]) {
          const headers = { "Content-Type": each, ...BY_PROVIDER[kind]?.(config, body) };
          const { status } = await fetch(callback_url, { method: "POST", body, headers });
          expect(status, `${name} as ${each}`).toBeLessThan(500);
        }
      }
      expect(faults()).toEqual([]);
    },
  );

  test("the chat-app: nothing that its secret signed is a fault", async () => {
    const { config } = await connect(company, "meta");
    const wrong = ["\ud800", "\0", 5, [], {}, null];
    const changes = wrong.map((value) => ({
      field: "messages",
      value: {
        metadata: { phone_number_id: config.phone_number_id },
        statuses: [
          { id: value, status: "failed", errors: [{ code: value, message: value }], timestamp: value },
        ],
        messages: [{ from: value, text: { body: value }, timestamp: value }, value],
      },
    }));
    const wronglyFilled = JSON.stringify({ object: "whatsapp_business_account", entry: [{ changes }] });
    const bodies = { ...ALL, "every wrong value in its place": { body: wronglyFilled } as Body };
    for (const [name, { body: given, type = JSON_TYPE }] of Object.entries(bodies)) {
      const body = typeof given === "string" ? bytes(given) : given;
      const signature = hmac(CHATAPP_APP_SECRET, body).digest("hex");
      const headers = { "Content-Type": type, "X-Hub-Signature-256": `sha256=${signature}` };
      const answer = await send("POST", "/v1/webhooks/chatapp", {
        body,
        headers,
        service: service.address,
      });
      expect(answer.status, name).toBeLessThan(500);
    }
    expect(faults()).toEqual([]);
  });
});

describe("a caller who announces a body and closes before its end", () => {
  type Line = { method: string; path: string; status: number; code?: string };
  const logged = (path: string) =>
    lines.flatMap((line) => {
      const parsed = JSON.parse(line) as Line;
      return parsed.path === path ? [parsed] : [];
    });

  /** Writes the head and the beginning of a body of 1,000 bytes to a socket, and ends the connection. */
  function breakOff(path: string, type: string, end: "end" | "destroy" | "resetAndDestroy"): Promise<void> {
    const { hostname, port } = new URL(service.url);
    const signed = Object.entries(credentials(company.admin)).map(([name, value]) => `${name}: ${value}`);
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${hostname}`,
      ...signed,
      `Content-Type: ${type}`,
      "Content-Length: 1000",
    ];
    return new Promise((resolve, reject) => {
      const socket = openSocket(Number(port), hostname, () => {
        socket.write(`${head.join("\r\n")}\r\n\r\n{"name":"Meera`, () =>
          setTimeout(() => socket[end](), 300),
        );
      });
      socket.on("error", reject);
      socket.on("close", () => resolve());
      socket.resume();
    });
  }

  test.each([
    ["end", "/customers/", JSON_TYPE],
    ["destroy", "/customers/", JSON_TYPE],
    ["end", "/leads/", "multipart/form-data; boundary=x"],
    ["destroy", "/leads/", "multipart/form-data; boundary=x"],
  ] as const)("by %s at %s is logged as client_closed, and is no fault", async (end, area, type) => {
    const path = `/v1${area}${company.slug}${area === "/leads/" ? "/capture" : ""}`;
    await breakOff(path, type, end);
    await expect
      .poll(() => logged(path), { timeout: 5_000 })
      .toMatchObject([{ status: 499, code: "client_closed" }]);
    expect(faults()).toEqual([]);
  });

  // The runtime ends the Worker's own work with the connection then, so nothing can write a line.
  test("by a reset harms nothing", async () => {
    await breakOff(`/v1/customers/${company.slug}`, JSON_TYPE, "resetAndDestroy");
    expect((await company.call("GET", "/customers/:company")).status).toBe(200);
    expect(faults()).toEqual([]);
  });
});
