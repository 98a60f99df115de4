import { text } from "node:stream/consumers";
import { afterAll, beforeEach, expect, test } from "vitest";
import { askForNumber } from "#providers/chatapp";
import { KINDS } from "#providers/messaging";
import { changesIn } from "../../src/features/messaging/callbacks/chatapp-body.ts";
import { tell } from "../../src/sandbox/message-providers/callbacks.ts";
import type { EventName, Received } from "../../src/sandbox/message-providers/inbox.ts";
import { turso } from "../../src/tenancy/provision/turso.ts";
import { META, SENDS, services } from "../features/messaging/providers/provider-service.ts";
import { serveOwn } from "../support/own-server.ts";
import { expectDocumented, misspelt } from "./documented.ts";
import {
  contractOf,
  eventViolationsOf,
  fieldsOf,
  GATEWAYS,
  type Sent,
  VENDORS,
  type Vendor,
} from "./schemas.ts";

const asked: Sent[] = [];
const { url: at, stop } = await serveOwn(async (request, response) => {
  const { method = "", url: path = "" } = request;
  const headers = new Headers(request.headers as HeadersInit);
  asked.push({ method, path, headers, body: await text(request) });
  const answer = { database: { Hostname: "a.example" }, databases: [], jwt: "t" };
  response.setHeader("Content-Type", "application/json").end(JSON.stringify(answer));
});
afterAll(stop);
beforeEach(() => {
  asked.length = 0;
});

async function askTurso(): Promise<void> {
  const provisioner = turso({
    ...{ DATABASE_PROVIDER: "turso", TURSO_API_URL: at, TURSO_API_TOKEN: "t" },
    ...{ TURSO_ORGANIZATION: "acme", TURSO_GROUP: "default", TURSO_TOKEN_EXPIRATION: "90d" },
  });
  await provisioner.create("co-asha");
  await provisioner.branch?.("co-asha", "co-asha-2");
  await provisioner.names();
  await provisioner.shutOut("co-asha");
  await provisioner.remove("co-asha");
}
const ASKS: Record<Vendor, () => Promise<unknown>> = {
  meta: () => Promise.all([SENDS.meta(at), askForNumber(services(at), META)]),
  ...{ postmark: () => SENDS.postmark(at), resend: () => SENDS.resend(at) },
  ...{ twilio: () => SENDS.twilio(at), turso: askTurso },
};

test.each(VENDORS)(
  "requests to %s are as it documents them, and no misspelt one would be",
  async (vendor) => {
    await ASKS[vendor]();
    expect(asked.length).toBeGreaterThan(0);
    for (const sent of asked) expectDocumented(vendor, sent);
  },
);

const MESSAGE = {
  ...{ at: "", text: "", html: null, subject: null, to_name: null, attachments: [], events: [] },
  reference: "1:msg_01KAJ0V5Y3Q8R6N2T4W7X9Z1BC",
};
const SECRET = `whsec_${btoa("a-secret-of-24-bytes-here")}`;
type Told = { kind: keyof typeof MESSAGES; schema: string; event: EventName; named: string[] };
const MESSAGES = {
  meta: {
    channel: "chatapp",
    id: "wamid.1",
    to: "919845012345",
    from: "1",
    details: { phone_number_id: "10002" },
  },
  postmark: { channel: "email", id: "b7bc2f4a", to: "m@a.example", from: "a@a.example", details: {} },
  resend: { channel: "email", id: "56761188", to: "m@a.example", from: "a@a.example", details: {} },
  twilio: {
    ...{ channel: "sms", id: `SM${"0".repeat(32)}`, to: "919845012345", from: "+15017122661" },
    details: { account_sid: `AC${"0".repeat(32)}` },
  },
} as const;

/** What the product makes of an event. */
async function read(kind: Told["kind"], { path: url, headers, body }: Sent): Promise<unknown[]> {
  const bytes = new Uint8Array(new TextEncoder().encode(body));
  if (kind === "meta") return changesIn(bytes).flatMap(({ statuses, inbound }) => [...statuses, ...inbound]);
  const sent = { params: {}, method: "POST", url: at + url, headers, body: bytes, receivedAt: Date.now() };
  const config = { webhook_secret: SECRET, auth_token: SECRET } as never;
  const kinds = { ...KINDS.sms, ...KINDS.email };
  const { unread: _, ...told } = (await kinds[kind].receive?.(sent, config)) ?? {};
  return Object.values(told).flat();
}

test.each<Told>([
  { kind: "meta", schema: "callback", event: "delivered", named: ["object", "entry"] },
  { kind: "meta", schema: "callback", event: "stop", named: ["object", "entry"] },
  {
    kind: "postmark",
    schema: "record",
    event: "failed",
    named: ["RecordType", "MessageID", "Email", "Type"],
  },
  { kind: "postmark", schema: "record", event: "rejected", named: ["RecordType", "Email"] },
  { kind: "resend", schema: "email", event: "failed", named: ["type", "data"] },
  { kind: "resend", schema: "email", event: "rejected", named: ["type", "data"] },
  { kind: "twilio", schema: "status", event: "failed", named: ["MessageSid", "MessageStatus"] },
  { kind: "twilio", schema: "inbound", event: "stop", named: ["MessageSid", "From", "To", "Body"] },
])("the event $event of $kind is as documented, is read, and each member of it counts", async (told) => {
  const { kind, schema, event, named } = told;
  const message = { ...MESSAGE, ...MESSAGES[kind], kind } as unknown as Received;
  await tell(message, event, { callbackUrl: `${at}/callback`, secret: SECRET });
  const [sent] = asked;
  if (sent === undefined) throw new Error("Nothing was sent");
  expect(eventViolationsOf(kind, schema, fieldsOf(sent))).toEqual([]);
  expect(await read(kind, sent)).not.toEqual([]);
  for (const name of named)
    expect(eventViolationsOf(kind, schema, fieldsOf(misspelt(sent, name))), name).not.toEqual([]);
});

test("each schema names its source and its licence", () => {
  for (const vendor of [...VENDORS, ...GATEWAYS])
    expect(contractOf(vendor)).toMatchObject({
      source: expect.stringMatching(/^https:/),
      licence: expect.stringContaining("MIT"),
    });
});
