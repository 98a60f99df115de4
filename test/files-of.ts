/** The folders of each project of vitest.config.ts. */
export const FOLDERS: Record<string, string> = {
  unit: "{api,lint,shared}",
  process: "{cli,process,sandbox}",
  service: "{api/contract,client,core,features,proof,tenancy}",
  worker: "{durable,workerd}",
  browser: "browser",
  model: "model",
  proof: "proof",
  soak: "soak",
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
    process: "cold-bundle public-suffixes watched writers/group-line",
  }),
  service: named({
    core: "rate-limit",
    "core/database":
      "blocked-database control-database database-token full-disk grouped-calls groups kill many-writers patience",
    "features/bookings": "lesson-length locations",
    "features/bookings/bookings": "changes expired-holds learner over payment races",
    "features/bookings/calls": "start",
    "features/bookings/holds": "confirm-free long-lessons",
    "features/bookings/instructors": "instructors-by-free-time",
    "features/bookings/packages": "book-a-package packages",
    "features/bookings/page": "another-payment languages limits pay",
    "features/captures": "settlements shown",
    "features/company": "logo where-money-goes",
    "features/credit-notes": "model numbers page race stock",
    "features/customers": "delete-races paging",
    "features/doors": "booking doors",
    "features/erasures": "overtaken rights",
    "features/events": "forgetting hold-effects omitted retries",
    "features/invoices": "dates numbers page/page tax/properties",
    "features/invoices/journal": "unresolved",
    "features/leads": "attachments machines",
    "features/ledger": "other-books",
    "features/messaging": "one-tenant providers/provider-settings replays requeue resend",
    "features/notifications": "calendar-dispatch money sms",
    "features/payments": "cash-limit online/once online/page",
    "features/projects": "cross-project trees work-item-list",
    "features/recruitment": "career-site repeated-applications retention",
    "features/refunds": `automatic bookings crossing due orders reports speed taken-back`,
    "features/storefront/checkout": "gateway killed stock",
    "features/storefront/invoice": "particulars tax",
    "features/storefront/orders": "dismiss-credit",
    "features/storefront/webhook": "faults once settlement signature",
    proof: "faults",
    tenancy: "keys/key-rights readiness turso-backup",
    "tenancy/companies": "backlog fleet hourly-jobs migrations upgrades",
  }),
};

/** What `npm run soak` leaves to `npm run soak:long`, run by hand: of each kind of what takes minutes one is in soak. */
export const LEFT_TO_SOAK_LONG: Record<string, string[]> = {
  service: named({
    core: "paging-budget",
    "features/bookings/calls": "crowd puzzle slots-of-dates",
    "features/bookings/holds": "families free-and-staff ipv6 one-address own-holds token-in-header",
    "features/bookings/instructors": "leave",
    "features/bookings/page": "money money-back stranger",
    "features/credit-notes": "self-check",
    "features/doors": "booking-customer erasure packages",
    "features/erasures": "contacts cut-off found-by in-flight",
    "features/events": "addresses deliveries failing reading sending-again",
    "features/leads": "duplicates settings",
    "features/messaging": "callbacks/chatapp-callbacks inbox/inbox quota scheduled unsubscribe",
    "features/notifications": "calendar-file changed-receivers hourly once refunds reminders texts",
    "features/projects": "burndown races rules",
    "features/recruitment": "races resume",
    "features/refunds":
      "advances both-payments extra-money lesson-notes lesson-parts notes-and-console owed-credit policy receipts self-check unknown whole-purpose",
    "features/storefront/checkout": "one-commit",
    "features/storefront/invoice": "conversion zero-rated",
    "features/storefront/orders":
      "erase-abandoned late-money reconcile resolve resolve-by-dismissal resolve-by-invoice",
    proof: "faults-at-once receiver receiver-rate upgrade",
    tenancy: "companies/adopt upkeep",
    "tenancy/companies": "idle-company recovery recovery-orders schema self-check",
    "tenancy/keys": "company-ceilings",
    "features/bookings/money": "books",
    "features/bookings/bookings": "payment-effects holds staff",
    "features/bookings/packages": "online-packages",
    "features/captures": "captures settle",
    "features/ledger": "unposted",
    "features/invoices": "page/titles",
    "features/payments": "races online/money",
  }),
  model: named({ model: "messaging-breaker messaging-crashes messaging-providers" }),
  soak: named({
    soak: `corruptions credentials distance every-zone gateway-money papers requests round-trips self-host slow-uploads start
      start-events start-refused`,
    "soak/audit": "chain",
    "soak/backup":
      "backup broken-chain crafted-backups damaged-database erased-persons erasures files files-in lost-control missing-keys refunds-again restore-into",
    "soak/broken-bodies": "broken-bodies",
    "soak/companies": "cli cli-options clock doctor doctor-databases doctor-instance doctor-lines",
    "soak/fleet": "fleet",
    "soak/memory": "isolate-memory",
    "soak/messaging": "hourly-jobs one-tenant",
    "soak/rotation": "audit-chain command trouble",
    "soak/upgrade": "rollout",
  }),
};

// What soak runs of projects of other scripts, with the counts of test/soak.env.
const SOAKED = { ...LEFT_TO_SOAK, browser: ["test/browser/mail-html.test.ts"] };

/**
 * Which files of a project run: by `npm test` and others without `soak`, by `npm run soak` where it is "1", by
 * `npm run soak:long` where it is "long". Where a file or folder is named, all of the project are there.
 */
export function filesOf(project: string, soak: string | undefined, isNamed = false) {
  const include = [`test/${FOLDERS[project]}/**/*.test.ts`];
  const others = OTHERS[project] ?? [];
  if (isNamed) return { include, exclude: others };
  const long = LEFT_TO_SOAK_LONG[project] ?? [];
  if (soak === "long") return { include: long, exclude: others };
  const soaked: Record<string, string[]> = SOAKED;
  if (soak !== undefined) return { include: soaked[project] ?? include, exclude: [...others, ...long] };
  return { include, exclude: [...others, ...(LEFT_TO_SOAK[project] ?? []), ...long] };
}
