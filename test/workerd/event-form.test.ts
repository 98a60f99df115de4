import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { GATEWAYS, logForm } from "#providers/payment";
import type { GatewayKind } from "#shared/payments/gateways.ts";

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
