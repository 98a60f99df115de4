// The project of the demo company; `demo-project.ts` makes it through the API, day by day. Names are invented.

export const PEOPLE = [
  { name: "Kavya Rao", employee_code: "E-017", designation: "Lead developer" },
  { name: "Arjun Menon", employee_code: "E-021", designation: "Developer" },
  { name: "Farah Sheikh", employee_code: "E-033", designation: "Tester" },
  { name: "Rohan Das", employee_code: "E-008", designation: "Product owner" },
];

/** Each under the one that it names; a path as the API shows it. */
export const AREAS = ["Storefront", "Storefront/Checkout", "Storefront/Catalogue", "Back office"];
/** Days from today. */
export const ITERATIONS = [
  { path: "Release 3", type: "release", starts: -20, ends: 24 },
  { path: "Release 3/Week 1", type: "week", starts: -8, ends: -2 },
  { path: "Release 3/Week 2", type: "week", starts: -1, ends: 5 },
];
export const MILESTONES = [
  { name: "Payment provider signed", due: -15, status: "completed" },
  { name: "UPI in the test shop", due: -3, status: "in_progress" },
  { name: "UPI goes live", due: 10, status: "pending" },
];
export const SPRINT = { name: "Sprint 7", goal: "A customer can pay by UPI", starts: -8, ends: 3 };

export type DemoItem = {
  title: string;
  daysAgo: number;
  fields: Record<string, unknown>;
  area?: string;
  parent?: string;
  person?: number;
  /** False for what stays in the backlog. */
  planned?: false;
  moves?: [daysAgo: number, status: string, comment?: string][];
};

export const ITEMS: readonly DemoItem[] = [
  {
    title: "Customers pay the way they like",
    daysAgo: 12,
    fields: { type: "epic", priority: "high", description: "Cards alone cost us a third of all baskets." },
    planned: false,
    moves: [[8, "in_progress"]],
  },
  {
    title: "UPI at checkout",
    daysAgo: 12,
    fields: { type: "feature", priority: "high" },
    area: "Storefront/Checkout",
    parent: "Customers pay the way they like",
    planned: false,
    moves: [[8, "in_progress"]],
  },
  {
    title: "Pay with a UPI QR code",
    daysAgo: 11,
    fields: {
      type: "user_story",
      priority: "high",
      story_points: 8,
      as_a: "customer",
      i_want: "to scan a QR code at checkout",
      so_that: "I can pay with any UPI app",
      acceptance_criteria: "The code names the amount\nThe order is paid within a minute",
      tags: ["payments", "upi"],
    },
    area: "Storefront/Checkout",
    parent: "UPI at checkout",
    person: 0,
    moves: [
      [7, "in_progress"],
      [4, "ready_for_test", "On the test shop since noon."],
      [3, "done", "Scanned with four apps."],
    ],
  },
  {
    title: "Show failed payments with a way to retry",
    daysAgo: 11,
    fields: { type: "user_story", story_points: 5, tags: ["payments"] },
    area: "Storefront/Checkout",
    parent: "UPI at checkout",
    person: 1,
    moves: [
      [6, "in_progress"],
      [2, "resolved", "Waiting for Rohan to accept."],
    ],
  },
  {
    title: "Payment settings for the back office",
    daysAgo: 11,
    fields: { type: "task", story_points: 3, estimated_hours: 10, remaining_hours: 4 },
    area: "Back office",
    parent: "UPI at checkout",
    person: 1,
    moves: [[3, "in_progress"]],
  },
  {
    title: "Gateway callbacks are verified",
    daysAgo: 10,
    fields: { type: "task", priority: "critical", story_points: 3 },
    area: "Storefront/Checkout",
    parent: "UPI at checkout",
    person: 0,
    moves: [
      [8, "in_progress"],
      [6, "done"],
    ],
  },
  {
    title: "Checkout works with the keyboard alone",
    daysAgo: 10,
    fields: { type: "test_case", story_points: 2, tags: ["accessibility"] },
    area: "Storefront/Checkout",
    person: 2,
    moves: [
      [5, "in_progress"],
      [5, "done", "Passed in three browsers."],
    ],
  },
  {
    title: "Basket forgets quantities after a refresh",
    daysAgo: 9,
    fields: {
      type: "bug",
      priority: "high",
      severity: "high",
      story_points: 2,
      repro_steps: "1. Put three reams into the basket\n2. Refresh\n3. The basket shows one",
    },
    area: "Storefront/Checkout",
    person: 1,
    moves: [
      [7, "in_progress"],
      [6, "done"],
      [4, "in_progress", "Seen again on Android: the fix missed the app."],
      [2, "done"],
    ],
  },
  {
    title: "Search finds product codes",
    daysAgo: 9,
    fields: { type: "user_story", story_points: 5, as_a: "purchaser", i_want: "to search by SKU" },
    area: "Storefront/Catalogue",
    person: 0,
    moves: [[1, "in_progress"]],
  },
  {
    title: "Bulk prices on product pages",
    daysAgo: 9,
    fields: { type: "user_story", story_points: 5, priority: "low" },
    area: "Storefront/Catalogue",
    moves: [[5, "cancelled", "Sales will quote these by hand this year."]],
  },
  {
    title: "GST number is checked while it is typed",
    daysAgo: 4,
    fields: { type: "user_story", story_points: 3, description: "Came up in the review of week 1." },
    area: "Storefront/Checkout",
    person: 2,
  },
  {
    title: "Product photos load slowly on 3G",
    daysAgo: 3,
    fields: { type: "bug", severity: "medium", story_points: 3 },
    area: "Storefront/Catalogue",
    planned: false,
  },
  {
    title: "Which courier for the hill districts?",
    daysAgo: 2,
    fields: { type: "issue", priority: "low" },
    area: "Back office",
    person: 3,
    planned: false,
    moves: [[1, "on_hold", "Two offers came in, a third is due on Friday."]],
  },
];
