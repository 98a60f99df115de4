import { Hono } from "hono";
import * as z from "zod";
import { parsed } from "#shared/json.ts";
import { meetFaults } from "./faults.ts";
import type { Caller, Merchant } from "./merchants.ts";
import { type Entity, type Order, openOrder } from "./orders.ts";
import { failure, invalid, refuse, unknownId, wantsWhole } from "./paypal-answers.ts";
import { captureOrder, links } from "./paypal-events.ts";
import { paypalRefunds } from "./paypal-refunds.ts";
import { verifyTransmission } from "./paypal-signature.ts";
import {
  basicCredentials,
  bearerToken,
  capitalId,
  mixedId,
  type StandInContext,
} from "./stand-in-context.ts";

const TOKEN_S = 32_400;

const webAddress = z.url({ protocol: /^https?$/ });
const NewOrder = z.looseObject({
  intent: z.literal("CAPTURE"),
  purchase_units: z.tuple([
    z.looseObject({
      reference_id: z.string().default("default"),
      custom_id: z.string().max(255).optional(),
      description: z.string().max(127).optional(),
      amount: z.looseObject({
        currency_code: z.string().regex(/^[A-Z]{3}$/),
        value: z.string().regex(/^\d{1,10}\.\d{2}$/),
      }),
    }),
  ]),
  payment_source: z.looseObject({
    paypal: z.looseObject({
      experience_context: z.looseObject({ return_url: webAddress, cancel_url: webAddress }),
    }),
  }),
});

/** PayPal's tokens, orders and check of webhook signatures. */
export function paypalApi(desk: StandInContext): Hono<Caller> {
  const { origin, merchants, orders, faults, webhooks } = desk;
  const api = new Hono<Caller>();
  const tokens = new Map<string, { merchant: Merchant; expires: number }>();

  api.post("/v1/oauth2/token", async (c) => {
    const [account, secret] = basicCredentials(c.req.header("Authorization"));
    const merchant = merchants.identify("paypal", secret, account);
    if (merchant === undefined) {
      return c.json({ error: "invalid_client", error_description: "Client Authentication failed" }, 401);
    }
    if (new URLSearchParams(await c.req.text()).get("grant_type") !== "client_credentials") {
      return c.json({ error: "unsupported_grant_type", error_description: "Grant Type is NULL" }, 400);
    }
    const token = mixedId("A21AA", 92);
    tokens.set(token, { merchant, expires: Date.now() + TOKEN_S * 1_000 });
    return c.json({ access_token: token, token_type: "Bearer", app_id: "APP-SANDBOX", expires_in: TOKEN_S });
  });

  api.use(async (c, next) => {
    const known = tokens.get(bearerToken(c.req.header("Authorization")));
    if (known === undefined || known.expires < Date.now()) {
      return c.json(
        { error: "invalid_token", error_description: "Token signature verification failed" },
        401,
      );
    }
    c.set("merchant", known.merchant);
    return next();
  });
  const trouble = failure("INTERNAL_SERVER_ERROR", "An internal server error has occurred.");
  const busy = failure("RESOURCE_CONFLICT", "A previous request on this resource is in progress.", [
    { issue: "PREVIOUS_REQUEST_IN_PROGRESS" },
  ]);
  api.use(meetFaults(faults, trouble, busy));

  api.post("/v2/checkout/orders", async (c) => {
    const body = await c.req.text();
    const key = c.req.header("PayPal-Request-Id");
    const earlier = orders.findByKey(c.var.merchant, key);
    if (earlier !== undefined) return c.json(summary(earlier), 200);
    const input = NewOrder.safeParse(parsed(body));
    if (!input.success) return invalid(c, input.error);
    const [unit] = input.data.purchase_units;
    if (Number(unit.amount.value) === 0)
      return refuse(c, "CANNOT_BE_ZERO_OR_NEGATIVE", "Must be greater than zero.");
    const { return_url, cancel_url } = input.data.payment_source.paypal.experience_context;
    const id = capitalId(17);
    const order = openOrder(c.var.merchant, {
      id,
      amount: Number(unit.amount.value.replace(".", "")),
      currency: unit.amount.currency_code,
      title: unit.description ?? id,
      return_url: withQuery(return_url, { token: id, PayerID: "SANDBOXPAYER1" }),
      cancel_url: withQuery(cancel_url, { token: id }),
      request: key === undefined ? null : { key, body },
      entity: {
        id,
        intent: "CAPTURE",
        status: "PAYER_ACTION_REQUIRED",
        payment_source: { paypal: {} },
        purchase_units: [unit],
        create_time: new Date().toISOString(),
        links: links(
          ["self", `/v2/checkout/orders/${id}`, "GET"],
          ["payer-action", `${origin}/pay/paypal/${id}`, "GET"],
        ),
      },
    });
    return c.json(summary(orders.add(order)), 201);
  });

  api.get("/v2/checkout/orders/:id", (c) => {
    const order = orders.findOwn(c.var.merchant, c.req.param("id"));
    return order === undefined ? unknownId(c) : c.json(order.entity);
  });

  api.post("/v2/checkout/orders/:id/capture", (c) => {
    const order = orders.findOwn(c.var.merchant, c.req.param("id"));
    if (order === undefined) return unknownId(c);
    if (order.state === "open")
      return refuse(c, "ORDER_NOT_APPROVED", "Payer has not yet approved the Order.");
    const key = c.req.header("PayPal-Request-Id");
    const answer = () => (wantsWhole(c) ? captured(order) : summary(order));
    if (order.state === "paid") {
      if (key !== undefined && order.capture_key === key) return c.json(answer(), 200);
      return refuse(c, "ORDER_ALREADY_CAPTURED", "Order already captured.");
    }
    order.capture_key = key;
    webhooks.send(order, captureOrder(order));
    orders.save();
    if (order.outcome !== "failed") return c.json(answer(), 201);
    return refuse(
      c,
      "INSTRUMENT_DECLINED",
      "The instrument presented was declined by the processor or bank.",
    );
  });

  api.post("/v1/notifications/verify-webhook-signature", async (c) => {
    const verified = verifyTransmission(await c.req.text(), c.var.merchant.webhook_secret);
    return c.json({ verification_status: verified ? "SUCCESS" : "FAILURE" });
  });
  return api.route("/", paypalRefunds(desk));
}

/** An order as it is answered to who does not ask for all of it. */
function summary({ entity: { id, status, payment_source, links } }: Order): Entity {
  return { id, status, payment_source, links };
}

/** A captured order as it is answered: only its first capture, also where it was paid twice. */
function captured({ id, entity, payments }: Order): Entity {
  const [{ reference_id }] = Object(entity.purchase_units);
  const captures = payments.filter((payment) => payment.status === "COMPLETED").slice(0, 1);
  const { status, payment_source, links } = entity;
  return { id, status, payment_source, purchase_units: [{ reference_id, payments: { captures } }], links };
}

function withQuery(address: string, parameters: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
