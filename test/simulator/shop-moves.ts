import { randomUUID } from "node:crypto";
import { daysAhead } from "../features/school.ts";
import { play } from "../support/gateways.ts";
import { randomAddress } from "../support/http.ts";
import { BOOKS } from "./books.ts";
import type { Draw } from "./draw.ts";
import { checkout, orderOf, type Shop } from "./shop.ts";
import { type Asked, type Moves, until } from "./world.ts";

const HOURS = 7;
const RECENT_INVOICES = 25;
const RECENT_ORDERS = 12;
const [PAID, WRONG, TWICE] = ["paid", "wrong_amount", "twice"] as const;
const OUTCOMES = [PAID, PAID, PAID, PAID, WRONG, WRONG, TWICE, TWICE, "failed"] as const;

/** What users, payers and the staff do around a gateway that takes money. */
export const PAYMENTS: Moves<Shop> = {
  checkout: {
    weight: 14,
    act: (shop, draw) => ({
      ...checkout("INR", draw.from(100, 50_099) / 100, `m${draw.below(40)}`),
      told: ({ body }) => shop.opened(orderOf(body)),
    }),
  },
  booking: { weight: 8, act: book },
  invoice: { ...BOOKS.invoice, weight: 12 },
  "pay now": { weight: 14, act: pressPay },
  payer: { weight: 30, act: goToGateway },
  "by hand": BOOKS.pay,
  void: BOOKS.void,
  "taken back": {
    weight: 3,
    act: async (shop, draw) => {
      const live = "SELECT id FROM payments WHERE deleted_at IS NULL ORDER BY id DESC LIMIT 1 OFFSET ?";
      const [row] = await shop.rows(live, draw.below(10));
      return row && { path: `/payments/:company/${row.id}/refund` };
    },
  },
  // A day has passed: what comes for it now is late.
  "given up": {
    weight: 3,
    act: async (shop, draw) => {
      const open = "gateway_order_id = ? AND status = 'created'";
      await shop.rows(
        `UPDATE payment_intents SET status = 'failed' WHERE ${open}`,
        draw.one(shop.orders) ?? "",
      );
    },
  },
  settle: { weight: 7, act: settle },
  dismiss: {
    weight: 5,
    act: async (shop, draw) => {
      const doubtful = "needs_refund = 1 OR payment_status = 'review'";
      const [row] = await shop.rows(
        `SELECT id FROM sales_orders WHERE ${doubtful} LIMIT 1 OFFSET ?`,
        draw.below(4),
      );
      const body = { action: "dismiss", outside_reference: "rfnd" };
      return row && { path: `/orders/:company/${row.id}/resolve`, body };
    },
  },
  "booking ended": {
    weight: 3,
    act: async (shop, draw) => {
      const id = draw.one(shop.ids("bookings"));
      if (id === undefined) return;
      const path = `/settings/:company/bookings/${id}`;
      await shop.ask({ path: `${path}/cancel`, body: {} });
      return { method: "PATCH", path, body: { payment_status: "refunded" } };
    },
  },
  stray: { weight: 2, act: (shop, draw) => shop.takeForNothing(draw.from(100, 90_100)) },
};

function book(shop: Shop): Asked {
  shop.slots += 1;
  const start = `${String(9 + (shop.slots % HOURS)).padStart(2, "0")}:00`;
  const phone = `+9198765${10_000 + shop.slots}`;
  const body = {
    customer: { name: "Mia", email: `mia${shop.slots}@example.com`, phone },
    instructor_id: shop.school.instructorId,
    product_id: shop.school.courseId,
    booking_date: daysAhead(2 + Math.floor(shop.slots / HOURS)),
    start_time: start,
    return_url: "https://book.example.com/",
    cancel_url: "https://book.example.com/",
  };
  const told = (answer: { body: object }) => shop.opened(orderOf(answer.body));
  return { path: "/schools/:company/bookings", body, makes: "bookings", told };
}

/** Presses the button of an invoice's page. */
async function pressPay(shop: Shop, draw: Draw): Promise<void> {
  const id = draw.late(shop.ids("invoices"), RECENT_INVOICES);
  if (id === undefined) return;
  const [row] = await shop.rows("SELECT public_token FROM invoices WHERE id = ?", id);
  const url = `${shop.company.url}/i/${shop.company.slug}/${row?.public_token}/pay`;
  const body = new URLSearchParams({ once: randomUUID() });
  const headers = { "CF-Connecting-IP": randomAddress() };
  await until(async () => {
    const { status } = await fetch(url, { method: "POST", redirect: "manual", headers, body });
    return status < 500 || undefined;
  });
  const intents = "SELECT gateway_order_id FROM payment_intents WHERE kind = 'invoice' AND ref_id = ?";
  for (const { gateway_order_id } of await shop.rows(intents, id)) shop.opened(gateway_order_id);
}

/** A payer goes to the gateway: most often of what was opened last, now and then of what is long open. */
async function goToGateway({ company, orders }: Shop, draw: Draw): Promise<void> {
  const order = draw.oneIn(3) ? draw.one(orders) : draw.late(orders, RECENT_ORDERS);
  // One that is paid takes no more.
  if (order !== undefined)
    await play(company, "razorpay", order, draw.one(OUTCOMES) ?? PAID).catch(() => undefined);
}

async function settle(shop: Shop, draw: Draw): Promise<Asked | undefined> {
  const path = "/ledger/:company/captures";
  const { body } = await shop.ask({ method: "GET", path: `${path}?state=advance&limit=20` });
  const one = draw.one(body.data as unknown as { id: string; paid_for: string; paid_for_id: string }[]);
  // What was taken back of an order is put back on its invoice.
  const own = "SELECT id FROM invoices WHERE sales_order_id = ?";
  const [sold] = one?.paid_for === "order" ? await shop.rows(own, one.paid_for_id) : [];
  const invoice = draw.oneIn(2) ? (sold?.id ?? draw.one(shop.ids("invoices"))) : undefined;
  const settled = invoice === undefined ? { outside_reference: "rfnd" } : { invoice_id: invoice };
  return one && { path: `${path}/${one.id}/settle`, body: settled };
}
