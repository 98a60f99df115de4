/** The folders of each project of vitest.config.ts. */
export const FOLDERS: Record<string, string> = {
  unit: "{api,lint,shared}",
  process: "{cli,process,sandbox}",
  service: "{api/contract,client,contracts,core,features,tenancy}",
  worker: "{durable,workerd}",
  browser: "browser",
  model: "simulator",
  proof: "simulator",
  soak: "soak",
  clients: "clients",
};
// Of a folder that two projects would have.
const OTHERS: Record<string, string[]> = { unit: ["test/api/contract/**"] };

/** The files of a project, by their folders; their names without `.test.ts`. */
type Files = Record<string, string>;

function named(files: Files): string[] {
  return Object.entries(files).flatMap(([folder, names]) =>
    names.split(/\s+/).map((name) => `test/${folder}/${name}.test.ts`),
  );
}

/** What `npm test` leaves to `npm run soak`: what takes long and is not what a change breaks most often. */
export const LEFT_TO_SOAK: Record<string, string[]> = {
  process: named({
    cli: "adopt-command migrate-command",
    process: "cold-bundle watched writers/group-line",
  }),
  service: named({
    core: "paging-budget rate-limit",
    "core/database": `blocked-database control-database database-token full-disk grouped-calls groups patience`,
    "features/bookings": "lesson-length locations",
    "features/bookings/bookings": "changes expired-holds learner over payment payment-effects races staff",
    "features/bookings/calls": "puzzle slots-of-dates start",
    "features/bookings/holds": "confirm-free families free-and-staff ipv6 long-lessons one-address own-holds",
    "features/bookings/instructors": "instructors-by-free-time leave",
    "features/bookings/money": "books",
    "features/bookings/packages": "online-packages packages",
    "features/bookings/page": "languages limits money money-back pay stranger",
    "features/captures": "captures settle settlements shown",
    "features/company": "logo where-money-goes",
    "features/credit-notes": "numbers page stock",
    "features/doors": "booking booking-customer doors erasure packages",
    "features/erasures": "contacts cut-off found-by in-flight",
    "features/events": `addresses deliveries failing forgetting hold-effects omitted reading retries
      sending-again`,
    "features/invoices": "dates numbers page/page page/titles",
    "features/invoices/journal": "unresolved",
    "features/leads": "attachments duplicates machines settings",
    "features/ledger": "other-books unposted",
    "features/messaging": `callbacks/chatapp-callbacks inbox/inbox one-tenant providers/provider-settings
      quota replays requeue resend scheduled unsubscribe`,
    "features/notifications": `calendar-dispatch calendar-file changed-receivers hourly money once refunds
      reminders sms texts`,
    "features/payments": "online/once online/page",
    "features/projects": "burndown cross-project races rules trees work-item-list",
    "features/recruitment": "career-site races repeated-applications resume retention",
    "features/refunds": `advances automatic bookings both-payments crossing extra-money lesson-notes
      notes-and-console orders owed-credit policy receipts reports self-check unknown whole-purpose`,
    "features/storefront/checkout": "one-commit stock",
    "features/storefront/invoice": "particulars tax",
    "features/storefront/orders": "erase-abandoned reconcile resolve resolve-by-dismissal resolve-by-invoice",
    "features/storefront/webhook": "once settlement signature",
    tenancy: "companies/registry-rebuild keys/key-rights readiness turso-backup upkeep",
    "tenancy/companies": `backlog fleet hourly-jobs idle-company migrations recovery recovery-orders schema
      self-check upgrades`,
    "tenancy/keys": "company-ceilings",
  }),
};

// What soak runs of projects of other scripts, with the counts of test/soak.env.
const SOAKED = { ...LEFT_TO_SOAK, browser: ["test/browser/mail-html.test.ts"] };

/**
 * Which files of a project run: those that are left to soak with `isSoak`, and all others without. Where a file or folder is
 * named, all of the project are there.
 */
export function filesOf(project: string, isSoak: boolean, isNamed = false) {
  const include = [`test/${FOLDERS[project]}/**/*.test.ts`];
  const others = OTHERS[project] ?? [];
  if (isNamed) return { include, exclude: others };
  const soaked: Record<string, string[]> = SOAKED;
  if (isSoak) return { include: soaked[project] ?? include, exclude: others };
  return { include, exclude: [...others, ...(LEFT_TO_SOAK[project] ?? [])] };
}
