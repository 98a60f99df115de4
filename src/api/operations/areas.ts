import type { Envelope } from "./literal.ts";
import type { Scope } from "./scopes.ts";

type Scopes = readonly [Scope | "platform", ...Scope[]];
type Common = {
  /** Where the area's paths begin. */
  path: string;
  /** What a key must hold for a read and for a write: the first, or one of the others. */
  read: Scopes;
  write: Scopes;
  /** `data` unless it says otherwise. */
  envelope?: Envelope;
};

const AREAS = {
  Invoices: { path: "/invoices/:company", read: ["invoices:read"], write: ["invoices:write"] },
  "Credit notes": { path: "", read: ["invoices:read"], write: ["invoices:write"] },
  Customers: { path: "/customers/:company", read: ["customers:read"], write: ["customers:write"] },
  Products: { path: "/products/:company", read: ["products:read"], write: ["products:write"] },
  Payments: { path: "/payments/:company", read: ["payments:read"], write: ["payments:write"] },
  Refunds: { path: "/refunds/:company", read: ["payments:read"], write: ["refunds:write"] },
  Ledger: { path: "/ledger/:company", read: ["ledger:read"], write: ["ledger:write"] },
  Messaging: { path: "/messaging/:company", read: ["messages:read"], write: ["messages:write"] },
  Storefront: {
    path: "/storefront/:company",
    read: ["storefront"],
    write: ["storefront"],
    envelope: "success",
  },
  Orders: { path: "/orders/:company", read: ["orders:read"], write: ["orders:write"] },
  Recruitment: { path: "/recruitment/:company", read: ["job_openings.read"], write: ["applications.write"] },
  Leads: {
    path: "/leads/:company",
    read: ["view_lead_sources"],
    write: ["capture_leads"],
    envelope: "success",
  },
  Events: {
    path: "/events/:company",
    read: ["settings:read", "events:read"],
    write: ["settings:write"],
  },
  Bookings: { path: "/schools/:company", read: ["bookings.read"], write: ["bookings.write"] },
  Projects: {
    path: "/projects/:company",
    read: ["projects.read"],
    write: ["projects.write"],
    envelope: "success",
  },
  Platform: { path: "/platform", read: ["platform"], write: ["platform"] },
} as const satisfies Record<string, Common>;

const SETTINGS: Common = { path: "/settings/:company", read: ["settings:read"], write: ["settings:write"] };
const OTHER_SETTINGS: Readonly<Record<string, Partial<Common>>> = {
  "Settings: Keys": { read: ["keys:read"], write: ["keys:write"] },
  "Settings: Events": { read: ["settings:read", "events:read"] },
  "Settings: Bookings by staff": {
    read: ["settings:read", "diary:read"],
    write: ["settings:write", "diary:write"],
  },
};

/** A part of the API, as its document shows it. Each part of the settings is one. */
export type Area = keyof typeof AREAS | `Settings: ${string}`;

/** What the operations of an area have in common. */
export function commonIn(area: Area): Common {
  const common: Common | undefined = AREAS[area as keyof typeof AREAS];
  return common ?? { ...SETTINGS, ...OTHER_SETTINGS[area] };
}
