import { type Operation, scopesOf } from "#api/operations/operation.ts";

export type Tag = { name: string; description: string; "x-displayName"?: string };
export type TagGroup = { name: string; tags: string[] };

const SETTINGS = /^Settings: /;

// In the order in which a person needs them: what is sold, to whom, and what comes of it.
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  "Sell and get paid": ["Customers", "Products", "Invoices", "Payments", "Credit notes", "Refunds", "Ledger"],
  "Sell online": ["Storefront", "Orders"],
  "Take bookings": ["Bookings"],
  "Write to people": ["Messaging"],
  "Hear from people": ["Leads", "Recruitment"],
  "Work together": ["Projects"],
  Settings: [
    "Settings: Company",
    "Settings: Keys",
    "Settings: Payment gateways",
    "Settings: Payment modes",
    "Settings: Refunds",
    "Settings: Customers",
    "Settings: Units and categories",
    "Settings: Accounts",
    "Settings: Books",
    "Settings: Messaging",
    "Settings: Opt-outs and suppressions",
    "Settings: Notifications",
    "Settings: Event endpoints",
    "Settings: Events",
    "Settings: Booking rules and locations",
    "Settings: Instructors",
    "Settings: Instructor fields",
    "Settings: Booking packages",
    "Settings: Bookings by staff",
    "Settings: Calendar feeds",
    "Settings: Lead sources",
    "Settings: Leads",
    "Settings: Jobs and departments",
    "Settings: Applications",
    "Settings: Employees",
    "Settings: Work-item statuses",
    "Settings: Erasures",
  ],
  Events: ["Events", "Webhooks"],
  Service: ["Platform", "Health"],
};

/** One tag an area, in the order of the operations. */
export function tagsOf(operations: readonly Operation[]): Tag[] {
  const areas = [...new Set(operations.map(({ area }) => area))];
  return areas.map((name) => {
    const own = operations.filter(({ area }) => area === name);
    const scopes = new Set(own.flatMap(scopesOf));
    const description = scopes.has("platform")
      ? "For the operator of the service."
      : `Scopes: ${[...scopes].map((scope) => `\`${scope}\``).join(", ")}.`;
    // What is the name of another tag too would stand in the page's list twice.
    const short = name.replace(SETTINGS, "");
    return areas.includes(short) ? { name, description } : { name, "x-displayName": short, description };
  });
}

/** The tags in the order of their groups; a tag that no group names is refused. */
export function inOrder(tags: readonly Tag[]): Tag[] {
  const order = Object.values(GROUPS).flat();
  for (const { name } of tags) if (!order.includes(name)) throw new Error(`No group has the tag ${name}`);
  return tags.toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
}

/** How the reference page puts the tags together: every tag is in one group. */
export function groupsOf(tags: readonly Tag[]): TagGroup[] {
  const names = new Set(tags.map(({ name }) => name));
  return Object.entries(GROUPS).map(([name, all]) => ({ name, tags: all.filter((tag) => names.has(tag)) }));
}
