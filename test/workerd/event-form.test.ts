import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { GATEWAYS, logForm } from "#providers/payment";
import type { GatewayKind } from "#shared/payments/gateways.ts";
import { accountAt, answerWith, useGateway } from "./gateway-calls.ts";

useGateway();

const said: Record<string, unknown>[] = [];
beforeEach(() => {
  said.length = 0;
  const keep = (line: string) => void said.push(JSON.parse(line));
  vi.spyOn(console, "error").mockImplementation(keep);
});
afterEach(() => void vi.restoreAllMocks());

const session = { id: "cs_1", mode: "payment", payment_status: "paid", amount_total: 1, currency: "inr" };
const stripe = (object: object) => ({ type: "checkout.session.completed", data: { object } });
const { mode, ...renamed } = session;
const refund = (entity: object) => ({ event: "refund.processed", payload: { refund: { entity } } });

test.each<[GatewayKind, string, unknown, object[]]>([
  ["stripe", "as it is documented", stripe(session), []],
  ["stripe", "with a member renamed", stripe({ ...renamed, kind: mode }), [{ fault: "callback_form" }]],
  ["stripe", "thin, that names nothing", { type: "v1.refund.created" }, [{ fault: "callback_form" }]],
  ["stripe", "of a type not read", { type: "customer.created" }, [{ fault: "callback_type" }]],
  ["razorpay", "without its payment", refund({ id: "R", amount: 1, status: "x" }), [{ subject: "razorpay" }]],
  ["razorpay", "that is no JSON", null, [{ fault: "callback_form" }]],
  ["razorpay", "of a type not read", { event: "toString" }, [{ fault: "callback_type" }]],
  ["paypal", "without amount", { event_type: "PAYMENT.CAPTURE.COMPLETED" }, [{ subject: "paypal" }]],
])(
  "a signed event of %s, %s, is logged as what it is, without what it says",
  (gateway, _what, event, lines) => {
    const { forms, typeOf } = GATEWAYS[gateway];
    logForm(gateway, forms, typeOf(event), event);
    expect(said).toMatchObject(lines);
    expect(JSON.stringify(said)).not.toContain("cs_1");
  },
);

test.each([
  [404, [{ fault: "callback_form", subject: "stripe" }]],
  [403, null],
])(
  "a thin event of which stripe says %i is counted, unless it may say more to a later one",
  async (status, lines) => {
    answerWith(Response.json({ error: { code: "resource_missing" } }, { status }));
    const event = {
      ...{ id: "evt_1", object: "v2.core.event", type: "v1.refund.created", livemode: false },
      ...{ created: "2026-11-21T09:30:00Z", related_object: { url: "/v1/refunds/re_1" } },
    };
    const delivery = { headers: new Headers(), body: new Uint8Array(), receivedAt: Date.now() };
    const read = GATEWAYS.stripe.read(accountAt("stripe"), event, delivery);
    if (lines === null) await expect(read).rejects.toMatchObject({ name: "GatewayError", status });
    else expect(await read).toMatchObject({ report: { state: "ignored" }, refunds: [] });
    expect(said).toMatchObject(lines ?? []);
  },
);
