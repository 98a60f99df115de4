import { type Mutant, tests } from "./mutant.ts";

const REFUND_DUE = "src/features/bookings/payments/refund-due.ts";

/** Of bookings, messages, events, projects and invoices. */
export const FEATURE_MUTANTS: readonly Mutant[] = [
  {
    gone: "projects/burndown: what is completed, removed or reopened, and a sprint that is completed with spill-over",
    killedBy: "test/simulator/burndown.test.ts",
    file: "src/features/projects/sprints/chart.ts",
    from: "completed += change.completed;",
    to: "completed = change.completed;",
  },
  {
    gone: "projects/history: of ten transitions at once none is lost",
    killedBy: tests("projects/races", "of 10 changes of points"),
    file: "src/features/projects/work-items/version.ts",
    from: "version} + 1`",
    to: "version} + 0`",
  },
  {
    gone: "bookings/races: bookings made, moved and paid too late at once never overlap",
    killedBy: "test/simulator/lessons.test.ts",
    file: "migrations/company/14_bookings.sql",
    from: "WHERE other.instructor_id = NEW.instructor_id AND other.id <> NEW.id",
    to: "WHERE other.instructor_id = NEW.instructor_id AND other.id = 0",
  },
  {
    gone: "bookings/races: of two cancellations at once a package gets one session back",
    killedBy: tests("bookings/bookings/changes", "gives a package its session back"),
    file: "migrations/company/14_bookings.sql",
    from: "THEN -1 ELSE 1 END",
    to: "THEN 0 ELSE 1 END",
  },
  {
    gone: "bookings/changes: what was paid is due back",
    killedBy: tests("bookings/bookings/staff", "notes a refund"),
    file: REFUND_DUE,
    from: "hasMoney}, 'refund_due'",
    to: "hasMoney}, 'paid'",
  },
  {
    gone: "bookings/learner: a visitor cancels an unpaid hold inside the window",
    killedBy: tests("bookings/page/booking-page", "too late is a sentence"),
    file: "src/features/bookings/bookings/cancel.ts",
    from: "paymentStatus} = 'unpaid'",
    to: "paymentStatus} = 'paid'",
  },
  {
    gone: "bookings/lesson-length: where the product has a length, a longer one is refused",
    killedBy: tests("bookings/bookings/create", "the length of a course"),
    file: "src/features/bookings/bookings/bookable-lesson.ts",
    from: "own ? course.duration_minutes : MOST_SLOTS",
    to: "own ? 480 : MOST_SLOTS",
  },
  {
    gone: "bookings/diary/list: a hold that ran out is expired at its minute",
    killedBy: tests("bookings/bookings/staff", "by status, as of now"),
    file: "src/features/bookings/bookings/list-bookings.ts",
    from: 'wanted.includes("expired") ? [...wanted, "pending" as const] : wanted',
    to: 'wanted.includes("expired") ? [...wanted] : wanted',
  },
  {
    gone: "bookings/page/money-back: that it was paid back, once it all was",
    killedBy: tests("bookings/page/money-back", "a refund is on its way"),
    file: "src/features/bookings/page/words/english.ts",
    from: " was paid back to you on ",
    to: " was paid back to you at ",
  },
  {
    gone: "invoices/tax/totals: a discount before tax, tax line by line, and a total without round-off",
    killedBy: "test/shared/gst/totals.test.ts -t a discount lowers what is taxed",
    file: "src/features/invoices/tax/gst.ts",
    from: "const taxableMinor = grossMinor - discountMinor;",
    to: "const taxableMinor = grossMinor;",
  },
  {
    gone: "invoices/page/titles: the tax of a territory without a legislature",
    killedBy: tests("invoices/page/page", "a supply between states"),
    file: "src/shared/gst/state-tax.ts",
    from: '"UTGST" : "SGST";',
    to: '"SGST" : "SGST";',
  },
  {
    gone: "messaging/contacts: a number that was listed by hand is never written to",
    killedBy: tests("messaging/optouts", "is of the whole number"),
    file: "src/features/messaging/contacts/block.ts",
    from: 'failure("not_opted_in",',
    to: 'failure("suppressed",',
  },
  {
    gone: "bookings/browser: a preflight says for how long it is valid",
    killedBy: "test/api/contract/publishable-keys.test.ts -t preflights are answered",
    file: "src/api/access/allowed-origin.ts",
    from: "String(PREFLIGHT_SECONDS)",
    to: "String(PREFLIGHT_SECONDS + 1)",
  },
  {
    gone: "messaging/callbacks/chatapp-callbacks: who writes STOP gets no more chat-app messages",
    killedBy: tests("messaging/inbox/words", "STOP and START end"),
    file: "src/features/messaging/contacts/note-inbound.ts",
    from: "NUMBER.test(one) ||",
    to: "!NUMBER.test(one) ||",
  },
  {
    gone: "notifications/reminders: counts elapsed hours, whatever Sydney's clocks and New York's do in between",
    killedBy: tests("notifications/quiet-hours", "counts elapsed hours"),
    file: "src/features/notifications/quiet-hours.ts",
    from: "startAt - hours * HOUR_MS",
    to: "startAt - (hours + 1) * HOUR_MS",
  },
];
