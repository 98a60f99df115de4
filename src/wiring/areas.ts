import { Hono } from "hono";
import { preflight } from "#api/access/allowed-origin.ts";
import { drain } from "#api/bodies/drain.ts";
import type { Operation } from "#api/operations/operation.ts";
import { mount } from "#api/pipeline.ts";
import { renderError } from "#api/replies/errors.ts";
import { logReply } from "#api/request-log.ts";
import { type App, newState, type RequestContext } from "#api/request-state.ts";
import { forMethods, refuseUnrouted } from "#api/unrouted.ts";
import { asWork } from "#core/log.ts";
import { declareEventSources } from "#core/write/event-sources.ts";
import { declareUniqueViolations } from "#core/write/unique-violations.ts";
import { retryLater } from "#shared/retry.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { isUsable } from "../env.ts";

type Area = {
  routers: readonly { readonly operations: readonly Operation[] }[];
  /** Mounts what is no operation: what browsers and outside services ask. */
  mount?: (app: Hono<App>, base: string) => void;
};

const BASE_PATHS = ["/v1", "/api/v1"];
const AREA = /^\/(?:api\/)?v1\/([a-z-]+)\//;
const FIRST_REFUSAL = 400;
const MOST_EVENT_BYTES = 1_048_576;
const MOST_CHATAPP_BYTES = 3 * MOST_EVENT_BYTES;
const apps = new Map<string, Hono<App>>();

declareUniqueViolations(() => import("./unique-violations.ts"));
declareEventSources(async (names) => (await import("./resources.ts")).resourcesNamed(names));

/**
 * The areas of the API by the first word of their paths, each loaded when it is first asked for: a cold start for a
 * booking page does not parse what invoices need.
 */
export const AREAS: Readonly<Record<string, () => Promise<Area>>> = {
  async invoices() {
    const [{ invoiceRoutes }, { invoiceCreditNoteRoutes }] = await Promise.all([
      import("../features/invoices/invoices/routes.ts"),
      import("../features/credit-notes/routes.ts"),
    ]);
    return { routers: [invoiceRoutes, invoiceCreditNoteRoutes] };
  },
  "credit-notes": async () => ({
    routers: [(await import("../features/credit-notes/routes.ts")).creditNoteRoutes],
  }),
  customers: async () => ({ routers: [(await import("../features/customers/routes.ts")).customerRoutes] }),
  products: async () => ({ routers: (await import("../features/products/routes.ts")).productRouters }),
  payments: async () => ({ routers: (await import("../features/payments/routes.ts")).paymentRouters }),
  async refunds() {
    const [{ refundRoutes }, { planBookingRefund }] = await Promise.all([
      import("../features/refunds/routes.ts"),
      import("../features/bookings/payments/plan-refund.ts"),
    ]);
    return { routers: [refundRoutes(planBookingRefund)] };
  },
  ledger: async () => ({ routers: (await import("./ledger.ts")).ledgerArea }),
  async messaging() {
    const [{ sendRoutes }, { messageRoutes }, { inboxRoutes }] = await Promise.all([
      import("../features/messaging/send/routes.ts"),
      import("../features/messaging/messages/routes.ts"),
      import("../features/messaging/inbox/inbox.ts"),
    ]);
    return { routers: [sendRoutes, messageRoutes, inboxRoutes] };
  },
  async storefront() {
    const [{ catalogueRoutes }, { checkoutRoutes }, { orderRoutes }] = await Promise.all([
      import("../features/storefront/catalogue/catalogue.ts"),
      import("../features/storefront/checkout/routes.ts"),
      import("../features/storefront/orders/shop-order.ts"),
    ]);
    const [{ companyCallback }, { receivePaymentEvent }, { PAYMENT_CHANGES }] = await Promise.all([
      import("#api/callbacks.ts"),
      import("./payment-events.ts"),
      import("./changes.ts"),
    ]);
    const receive = companyCallback("paymentEvent", MOST_EVENT_BYTES, PAYMENT_CHANGES, receivePaymentEvent);
    return {
      routers: [catalogueRoutes, checkoutRoutes, orderRoutes],
      mount: (app, base) => app.post(`${base}/storefront/:company/webhook/:gateway`, receive),
    };
  },
  orders: async () => ({
    routers: [(await import("../features/storefront/orders/staff-routes.ts")).orderStaffRoutes],
  }),
  async recruitment() {
    const [{ jobRoutes }, { applicationRoutes }, { departmentRoutes }] = await Promise.all([
      import("../features/recruitment/jobs/open-jobs.ts"),
      import("../features/recruitment/applications/apply.ts"),
      import("../features/recruitment/departments/departments.ts"),
    ]);
    return { routers: [jobRoutes, applicationRoutes, departmentRoutes] };
  },
  async leads() {
    const [{ leadRoutes }, { sourceRoutes }] = await Promise.all([
      import("../features/leads/leads/routes.ts"),
      import("../features/leads/sources/sources.ts"),
    ]);
    return { routers: [leadRoutes, sourceRoutes] };
  },
  async events() {
    const [{ feedRoutes }, { allResources }] = await Promise.all([
      import("../features/events/routes.ts"),
      import("./resources.ts"),
    ]);
    return { routers: [feedRoutes(await allResources())] };
  },
  async schools() {
    const { schoolRouters } = await import("../features/bookings/routes.ts");
    return {
      routers: schoolRouters,
      mount: (app, base) => app.options(`${base}/schools/:company/*`, forMethods(app, preflight)),
    };
  },
  projects: async () => ({ routers: (await import("../features/projects/routes.ts")).projectRouters }),
  async webhooks() {
    const [callbacks, { receiveCallback }, { receiveChatapp }, { RECEIPT_CHANGES }] = await Promise.all([
      import("#api/callbacks.ts"),
      import("../features/messaging/callbacks/receive-callback.ts"),
      import("../features/messaging/callbacks/receive-chatapp.ts"),
      import("./changes.ts"),
    ]);
    const { chatappCallback, companyCallback, verifyChatapp } = callbacks;
    const receive = (channel: "sms" | "email") =>
      companyCallback(`${channel}Event`, MOST_EVENT_BYTES, RECEIPT_CHANGES, (ctx, callback) =>
        receiveCallback(ctx, channel, callback),
      );
    return {
      routers: [],
      mount(app, base) {
        app.get(`${base}/webhooks/chatapp`, verifyChatapp);
        app.post(
          `${base}/webhooks/chatapp`,
          chatappCallback(MOST_CHATAPP_BYTES, RECEIPT_CHANGES, receiveChatapp),
        );
        app.on(["GET", "POST"], `${base}/webhooks/sms/:company/:kind/:token`, receive("sms"));
        app.post(`${base}/webhooks/email/:company/:kind/:token`, receive("email"));
      },
    };
  },
  settings: async () => ({ routers: await (await import("./settings.ts")).settingsRouters() }),
};

/** The app that answers a path: each area has its own, so that what is loaded and searched is small. */
export function appOf(path: string): Promise<Hono<App>> {
  return loadedApp(areaOf(path));
}

async function loadedApp(name: string): Promise<Hono<App>> {
  const known = apps.get(name);
  if (known !== undefined) return known;
  const app = await loadApp(name);
  apps.set(name, app);
  return app;
}

/** Makes the app of an area, or of the `platform` operations, the hosted `pages`, agents' `mcp`, or the rest at the `root`. */
export async function loadApp(name: string): Promise<Hono<App>> {
  const app = newApp();
  const area = AREAS[name];
  if (area !== undefined) {
    const { routers, mount: mountRest } = await area();
    for (const base of BASE_PATHS) {
      for (const { operations } of routers) mount(app, base, operations);
      mountRest?.(app, base);
    }
  } else if (name === "platform") {
    const [{ platformOperations }, { mountPlatformFiles }, { COMPANY_FILES }] = await Promise.all([
      import("./platform-operations.ts"),
      import("#api/platform-files.ts"),
      import("./files.ts"),
    ]);
    mount(app, "", platformOperations);
    mountPlatformFiles(
      app,
      COMPANY_FILES.map(({ folder }) => folder),
    );
  } else if (name === "mcp") (await import("./mcp.ts")).mountMcp(app, appOf);
  else if (name === "pages") (await import("./pages.ts")).mountPages(app);
  else (await import("./keyless-routes.ts")).mountHost(app, BASE_PATHS);
  return app;
}

/** The address of the API that an unknown one may mean. */
async function nearestTo(c: RequestContext): Promise<string | undefined> {
  const { method, path } = c.req;
  const area = areaOf(path);
  const { nearestAddress, nearestArea } = await import("#api/nearest-address.ts");
  const name = area === "root" ? (nearestArea(path, [...Object.keys(AREAS), "platform"]) ?? area) : area;
  const { routes } = await loadedApp(name);
  return nearestAddress({ method, path }, routes);
}

function areaOf(path: string): string {
  const word = AREA.exec(path)?.[1] ?? "";
  if (Object.hasOwn(AREAS, word)) return word;
  if (path.startsWith("/platform/")) return "platform";
  if (path === "/mcp") return "mcp";
  return /^\/(?:[bcinu]|cal)\//.test(path) ? "pages" : "root";
}

function newApp(): Hono<App> {
  const app = new Hono<App>();
  app.use(async (c, next) => {
    const state = newState();
    c.set("state", state);
    await asWork({ request_id: state.requestId }, async () => {
      if (isUsable(c.env)) await next();
      else c.res = await renderError(retryLater("unavailable", MINUTE_MS), c);
      if (c.res.status >= FIRST_REFUSAL) await drain(c.req.raw);
      logReply(c);
    });
  });
  app.onError(renderError);
  // Rendered here: what is thrown where nothing but the middleware matched would pass by its end.
  app.notFound(async (c) => {
    try {
      return await refuseUnrouted(app, c, nearestTo);
    } catch (error) {
      return renderError(error, c);
    }
  });
  return app;
}
