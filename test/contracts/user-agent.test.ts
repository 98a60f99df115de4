import { afterAll, expect, test } from "vitest";
import type { OutsideCtx } from "#core/context.ts";
import { openClient } from "#core/database/clients.ts";
import { openSender } from "#core/database/sender.ts";
import { namesOf } from "#core/outside-address.ts";
import { judgeVisitor } from "#providers/captcha";
import { GATEWAYS, type Payable } from "#providers/payment";
import { FIXED_HEADERS } from "../../src/features/events/deliveries/send.ts";
import { Inbox } from "../../src/sandbox/message-providers/inbox.ts";
import { standIn } from "../../src/sandbox/message-providers/stand-ins.ts";
import { send } from "../../src/tenancy/provision/provider-api.ts";
import { SENDS, services } from "../features/messaging/providers/provider-service.ts";
import { serveOwn } from "../support/own-server.ts";

const NAMED = /^CompanyOperations\/\d+\.\d+\.\d+$/;
const PAYABLE = {
  ...{ reference: "01KAJ7Q3M8Z5T1V9B2C4D6F8GJ", company: "asha", companyName: "Asha", kind: "order" },
  ...{
    receipt: "SO/1",
    description: "Lessons",
    amount: 100,
    currency: "INR",
    returnsTo: "https://a.example",
  },
  ...{ returnUrl: "https://a.example/r", cancelUrl: "https://a.example/c" },
  customer: { name: null, email: null, phone: null },
} satisfies Payable;

const agents: (string | undefined)[] = [];
const { url: at, stop } = await serveOwn((request, response) => {
  agents.push(request.headers["user-agent"]);
  response.setHeader("Content-Type", "application/json").end("{}");
});
afterAll(stop);

const outside = { services: { ...services(""), receiver: null } } as unknown as OutsideCtx;
const ctxAt = (): OutsideCtx => ({ ...outside, services: { ...outside.services, addressOf: () => at } });
const gatewayAt = () => ({ mode: "test", credentials: {}, address: at }) as const;

/** Every door to the outside; the images of logos and the events that endpoints get go through the Worker's own tests. */
const DOORS: Record<string, () => Promise<unknown>> = {
  ...Object.fromEntries(Object.entries(SENDS).map(([kind, ask]) => [kind, () => ask(at)])),
  ...Object.fromEntries(
    Object.entries(GATEWAYS).map(([kind, gateway]) => [kind, () => gateway.open(gatewayAt(), PAYABLE)]),
  ),
  captcha: () => judgeVisitor(services(at), "secret", "token"),
  dns: () => namesOf(ctxAt(), "https://a.example/"),
  "database provider": () => send(at, { method: "GET", authorization: undefined }),
  "database, batches": () => openSender()({ url: at, token: "t" }, [], 1_000, () => true),
  "database, whole texts": () => openClient({ url: at, token: "t" }, 1_000).executeMultiple("SELECT 1"),
};

test.each(Object.keys(DOORS))("a request names the product and its version: %s", async (door) => {
  agents.length = 0;
  // What comes of it is of no matter here.
  await DOORS[door]?.().catch(() => undefined);
  expect(agents).not.toEqual([]);
  for (const agent of agents) expect(agent).toMatch(NAMED);
});

test("an event names what sends it first, as receivers know it, then the product", () => {
  const [first, second = ""] = FIXED_HEADERS["User-Agent"].split(" ");
  expect([first, second]).toEqual(["CompanyOperations-Webhooks/1", expect.stringMatching(NAMED)]);
});

test("Resend's stand-in refuses a request without a name, as Resend documents", () => {
  const body = JSON.stringify({
    from: "a@a.example",
    to: ["b@b.example"],
    subject: "x",
    html: "x",
    text: "x",
  });
  const ask = (headers: Record<string, string>) =>
    standIn("resend", { path: "/emails", headers: new Headers(headers), body }, new Inbox()).reply;
  expect(ask({})).toMatchObject({ status: 403, body: expect.stringContaining("1010") });
  expect(ask({ "User-Agent": "a/1" })).toMatchObject({ status: 200 });
});
