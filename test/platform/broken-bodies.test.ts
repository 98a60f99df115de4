import { createHmac } from "node:crypto";
import { connect as openSocket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import type { Operation } from "#contract/operation.ts";
import { platformOperations } from "../../src/mount/operations.ts";
import { type CONFIGS, connect } from "../features/messaging/provider.ts";
import { credentials, openCompany, type TestCompany } from "../support/company.ts";
import { type Connected, connectGateway } from "../support/gateways.ts";
import { type Answer, send } from "../support/http.ts";
import { pathOf, writes } from "../support/operations.ts";
import {
  addressOf,
  CHATAPP_APP_SECRET,
  PLATFORM_TOKEN,
  type Service,
  startService,
} from "../support/service.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Body = { body: string | Bytes; type?: string };

const bytes = (text: string): Bytes => Uint8Array.from(Buffer.from(text));
const latin = (text: string): Bytes => Uint8Array.from(text, (character) => character.charCodeAt(0));
const JSON_TYPE = "application/json";
const DEEP = 10_000;

/** What is no JSON. */
const GARBAGE: Record<string, Body> = {
  "a word": { body: "nonsense" },
  "a cut-off object": { body: '{"name":"Meera' },
  "two values": { body: "{}{}" },
  "bytes that are no UTF-8": { body: latin('{"name":"\xff\xfe\xc0"}') },
  "UTF-16": { body: bytes([...'{"name":"Meera"}'].join("\0")) },
  "a NUL between the members": { body: '{"name":"Meera",\0"state":"Karnataka"}' },
  "a bare NUL in a text": { body: '{"name":"Me\0era"}' },
  "a form in place of JSON": { body: "name=Meera&state=Karnataka" },
};

/** What is JSON and nothing that any operation asks for. */
const STRANGE: Record<string, Body> = {
  "10,000 levels of arrays": { body: `{"name":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}` },
  "10,000 levels of objects": { body: `${'{"a":'.repeat(DEEP)}1${"}".repeat(DEEP)}` },
  "10,000 bare arrays": { body: "[".repeat(DEEP) + "]".repeat(DEEP) },
  "a lone surrogate": { body: '{"name":"\\ud800","event":"\\udc00","id":"\\ud800"}' },
  "an escaped NUL": { body: '{"name":"\\u0000","event":"\\u0000","id":"\\u0000","type":"\\u0000"}' },
  "a member named __proto__": { body: '{"__proto__":{"name":"Meera"},"name":"Meera"}' },
  "a member named constructor": { body: '{"constructor":{"prototype":{"name":"Meera"}}}' },
  "a member twice": { body: '{"name":"Meera","name":5,"name":null,"event":1,"event":"payment.captured"}' },
  "an array": { body: "[]" },
  null: { body: "null" },
  "a text": { body: '"Meera"' },
  "a number beyond all": { body: '{"name":1e999,"created_at":1e999}' },
  "members of every wrong kind": { body: '{"name":{},"event":[],"id":{},"type":[],"data":7,"payload":[[]]}' },
  "another content type": { body: '{"name":"Meera"}', type: "text/plain" },
  "an unknown charset": { body: '{"name":"Meera"}', type: "application/json; charset=utf-16" },
  "a content type that is none": { body: '{"name":"Meera"}', type: ";;;" },
  "a form without a boundary": { body: "--x\r\n", type: "multipart/form-data" },
};
const ALL = { ...GARBAGE, ...STRANGE };

/** Forms that no browser sends, all of them with the boundary `x`. */
const FORMS: Record<string, string | Bytes> = {
  "nothing at all": "",
  "no boundary inside": "nonsense",
  "a form cut off in a part's head": "--x\r\nContent-Disposition: form-data; na",
  "a form cut off in a part": '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nMee',
  "a form cut off before its last boundary":
    '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nMeera\r\n',
  "a part without a name": "--x\r\nContent-Disposition: form-data\r\n\r\nMeera\r\n--x--",
  "a part without a head": "--x\r\n\r\nMeera\r\n--x--",
  "another boundary": '--y\r\nContent-Disposition: form-data; name="name"\r\n\r\nMeera\r\n--y--',
  "no UTF-8 in a field": latin('--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n\xff\xfe\r\n--x--'),
  "no UTF-8 in a name": latin('--x\r\nContent-Disposition: form-data; name="\xff\xfe"\r\n\r\nMeera\r\n--x--'),
  "a NUL in a field": '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nMe\0era\r\n--x--',
  "a NUL in a name": '--x\r\nContent-Disposition: form-data; name="na\0me"\r\n\r\nMeera\r\n--x--',
  "__proto__ as a name": '--x\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nMeera\r\n--x--',
  "constructor as a name": '--x\r\nContent-Disposition: form-data; name="constructor"\r\n\r\nMeera\r\n--x--',
  "one name many times": `${'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nMeera\r\n'.repeat(60)}--x--`,
  "a file where a text belongs":
    '--x\r\nContent-Disposition: form-data; name="name"; filename="a.pdf"\r\n\r\n%PDF-\r\n--x--',
  "JSON within": '--x\r\nContent-Disposition: form-data; name="payload"\r\n\r\n{"a":\r\n--x--',
};

const lines: string[] = [];
const faults = () => lines.filter((line) => line.includes('"fault"'));
let service: Service;
let company: TestCompany;

beforeAll(async () => {
  service = await startService(inject("service").bundle, [], {
    hear: (line) => lines.push(line),
    variables: { LOG: "on" },
  });
  company = await openCompany({}, addressOf(service));
  await company.raiseLimit();
}, 60_000);
beforeEach(() => {
  lines.length = 0;
});
afterAll(() => service.stop());

const inJson = [...writes, ...platformOperations].filter(
  ({ body, form }) => body !== undefined && form !== "always",
);
const inForms = writes.filter(({ form }) => form !== undefined);

function give(operation: Operation, { body, type = JSON_TYPE }: Body): Promise<Answer> {
  const method = operation.method.toUpperCase();
  const headers = { "Content-Type": type };
  if (operation.scope !== "platform") return company.call(method, pathOf(operation), { body, headers });
  const token = { Authorization: `Bearer ${PLATFORM_TOKEN}` };
  const path = operation.path.replace(":slug", "no-such-company");
  return send(method, path, { body, headers: { ...token, ...headers }, service: addressOf(service) });
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
    expect(answer.status, `${operation.id} ${answer.text}`).toBeOneOf([400, 404, 409, 422]);
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

const now = () => Math.floor(Date.now() / 1_000);
const hmac = (secret: string | Buffer, ...parts: (string | Bytes)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHmac("sha256", secret));

describe("payment gateways", () => {
  /** The headers with which each gateway says that the bytes are its own. */
  const SIGNED = {
    razorpay: ({ merchant }: Connected, body: Bytes) => ({
      "X-Razorpay-Signature": hmac(merchant.webhook_secret, body).digest("hex"),
    }),
    stripe: ({ merchant }: Connected, body: Bytes) => {
      const signature = hmac(merchant.webhook_secret, `${now()}.`, body).digest("hex");
      return { "Stripe-Signature": `t=${now()},v1=${signature}` };
    },
    paypal: () => ({
      "PAYPAL-AUTH-ALGO": "SHA256withRSA",
      "PAYPAL-CERT-URL": "https://api.paypal.com/cert",
      "PAYPAL-TRANSMISSION-ID": "1",
      "PAYPAL-TRANSMISSION-SIG": "x",
      "PAYPAL-TRANSMISSION-TIME": new Date().toISOString(),
    }),
  };

  test.each(Object.keys(SIGNED) as (keyof typeof SIGNED)[])(
    "%s: what is no JSON is 400 unless it is signed, and nothing strange is a fault",
    async (kind) => {
      const connected = await connectGateway(company, kind);
      const deliver = (given: Body, signed: boolean) => {
        const body = typeof given.body === "string" ? bytes(given.body) : given.body;
        const headers = signed ? SIGNED[kind](connected, body) : {};
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
        expect(await deliver(body, false), name).toMatchObject({
          status: 400,
          body: { code: "invalid_signature" },
        });
      }
      for (const [name, body] of Object.entries(STRANGE))
        expect((await deliver(body, true)).status, name).toBeLessThan(500);
      expect(faults()).toEqual([]);
      const { rows } = await company
        .database()
        .execute("SELECT outcome FROM gateway_events GROUP BY outcome");
      expect(rows.every(({ outcome }) => outcome === "ignored")).toBe(true);
    },
  );
});

describe("message providers", () => {
  type Kind = keyof typeof CONFIGS;
  type Sign = (config: Record<string, unknown>, body: Bytes) => Record<string, string>;
  const SIGNED: Partial<Record<Kind, Sign>> = {
    twilio: () => ({ "X-Twilio-Signature": "AAAA" }),
    resend: ({ webhook_secret }, body) => {
      const secret = Buffer.from(String(webhook_secret).slice("whsec_".length), "base64");
      const signature = hmac(secret, `evt.${now()}.`, body).digest("base64");
      return { "svix-id": "evt", "svix-timestamp": String(now()), "svix-signature": `v1,${signature}` };
    },
  };
  const TYPES = [JSON_TYPE, "application/x-www-form-urlencoded"];

  test.each<Kind>(["msg91", "exotel", "twilio", "http-sms", "resend", "postmark"])(
    "%s: nothing that comes to its address is a fault",
    async (kind) => {
      const { callback_url, config } = await connect(company, kind);
      for (const [name, { body: given, type }] of Object.entries({ ...ALL, nothing: { body: "" } as Body })) {
        const body = typeof given === "string" ? bytes(given) : given;
        for (const each of type === undefined ? TYPES : [type]) {
          const headers = { "Content-Type": each, ...SIGNED[kind]?.(config, body) };
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
        service: addressOf(service),
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

  // The runtime ends the Worker's own work with the connection then, so there is nobody to write a line.
  test("by a reset harms nothing", async () => {
    await breakOff(`/v1/customers/${company.slug}`, JSON_TYPE, "resetAndDestroy");
    expect((await company.call("GET", "/customers/:company")).status).toBe(200);
    expect(faults()).toEqual([]);
  });
});
