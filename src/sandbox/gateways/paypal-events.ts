import { type Entity, type Order, wrongAmount } from "./orders.ts";
import { capitalId } from "./stand-in-context.ts";
import type { Event } from "./webhook-event.ts";

const API = "https://api-m.sandbox.paypal.com";

/** Lets the payer approve an order; what comes of it, the capture decides. */
export function playPaypal(order: Order): Event[] {
  order.state = "approved";
  order.entity.status = "APPROVED";
  return [
    event("CHECKOUT.ORDER.APPROVED", "checkout-order", "An order has been approved by buyer", order.entity),
  ];
}

/** Captures an approved order as its payer meant it, and gives the webhooks of it. */
export function captureOrder(order: Order): Event[] {
  if (order.outcome === "failed") {
    order.state = "open";
    return [capture(order, order.amount, "DECLINED")];
  }
  const amount = order.outcome === "wrong_amount" ? wrongAmount(order) : order.amount;
  const events = [capture(order, amount, "COMPLETED")];
  if (order.outcome === "twice") events.push(capture(order, amount, "COMPLETED"));
  order.state = "paid";
  order.entity.status = "COMPLETED";
  return events;
}

/** PayPal's links; a path stands for one of its API. */
export function links(...rows: [rel: string, path: string, method: string][]): Entity[] {
  return rows.map(([rel, path, method]) => ({ href: path.startsWith("/") ? API + path : path, rel, method }));
}

function capture(order: Order, amount: number, status: "COMPLETED" | "DECLINED"): Event {
  const id = capitalId(17);
  const now = new Date().toISOString();
  const [unit] = Object(order.entity.purchase_units);
  const payment = {
    id,
    status,
    amount: { currency_code: order.currency, value: (amount / 100).toFixed(2) },
    final_capture: true,
    custom_id: unit.custom_id,
    create_time: now,
    update_time: now,
    links: links(
      ["self", `/v2/payments/captures/${id}`, "GET"],
      ["refund", `/v2/payments/captures/${id}/refund`, "POST"],
      ["up", `/v2/checkout/orders/${order.id}`, "GET"],
    ),
  };
  order.payments.push(payment);
  unit.payments = { captures: order.payments };
  const resource = { ...payment, supplementary_data: { related_ids: { order_id: order.id } } };
  return event(`PAYMENT.CAPTURE.${status}`, "capture", `Payment ${status.toLowerCase()}`, resource);
}

/** An event as PayPal writes it. */
export function event(type: string, resourceType: string, summary: string, resource: Entity): Event {
  const id = `WH-${capitalId(17)}-${capitalId(17)}`;
  const body = {
    id,
    event_version: "1.0",
    create_time: new Date().toISOString(),
    resource_type: resourceType,
    resource_version: "2.0",
    event_type: type,
    summary,
    resource,
    links: links(["self", `/v1/notifications/webhooks-events/${id}`, "GET"]),
  };
  return { id, type, body: JSON.stringify(body) };
}
