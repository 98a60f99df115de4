import { and, eq, type SQLWrapper, sql } from "drizzle-orm";
import { msUntilTomorrow } from "#core/calendar.ts";
import type { Ctx, ReadCtx } from "#core/context.ts";
import { BatchRefused } from "#core/database/failure.ts";
import { NOTIFY_TASK } from "#core/jobs.ts";
import { logFault } from "#core/log.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { refuseIfNone, refuseWhen, systemWrite } from "#core/write/atomic.ts";
import { endNotice } from "#core/write/setting-changes.ts";
import {
  activeProvider,
  dispatchTask,
  newMessageId,
  platformMailer,
  requireProvider,
  spentByAll,
  storeMessage,
} from "#features/messaging";
import { Problem } from "#shared/problem.ts";
import { isNotice } from "#shared/settings.ts";
import { NOTIFICATION_CAUSES } from "#shared/strangers.ts";
import { withoutLinks } from "#shared/text/without-links.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time/durations.ts";
import { settingChanges } from "#tables/core";
import { personErasures } from "#tables/erasures";
import { notifications } from "#tables/notifications";
import { openedBy } from "../link/link.ts";
import { ruleOf } from "../rules.ts";
import type { Channel, State } from "../states.ts";
import { type StoredTemplate, selectTemplates, textFor } from "../templates/texts.ts";
import { refuseFullHour } from "./by-stranger.ts";
import type { FactsOf } from "./facts.ts";
import { type DueNotification, selectDue } from "./find-due.ts";
import { quietHoursOf, type Setup, setupQuery } from "./find-setup.ts";
import { messageOf } from "./message.ts";
import { carriersOf, instructorOf, isOwn, recipientsOf } from "./recipients.ts";
import { isReminder, staleness } from "./skip.ts";
import { shareOfStrangers, spentSince } from "./spent.ts";
import { toldLines } from "./told.ts";
import { valuesOf } from "./values.ts";
import { goesAt } from "./when.ts";

const AT_ONCE = 20;
// A job begins no more after this time, and gives its place to others.
const SLICE_MS = 2_000;
// Lowering the company's own cap keeps no notice from its reader.
const NOTICES_CAP = 5_000;
const lastErasure = sql`(SELECT coalesce(max(${personErasures.id}), 0) FROM ${personErasures})`;

type Row = typeof notifications.$inferInsert;
type Providers = Record<Channel, Parameters<typeof requireProvider>[2]>;
type Found = {
  setup: Setup;
  templates: readonly StoredTemplate[];
  providers: Providers;
  /** The last erasure of a person when the facts were read. */
  erasure: number;
};

/** The end of an attempt: `taken` if another job was first, `outdated` if a person was erased after the read. */
type Settled = { messages: string[]; accounts: string } | "ended" | "outdated" | "taken";

/**
 * Sends due notifications until none is left or its time is over; then it queues another job. One batch stores a
 * message and marks its notification as sent, so repeated runs are safe. Of jobs that run at once, one goes on: a job
 * that finds another was first leaves the rest to it. `begin` gives a context of now.
 */
export async function notify(begin: () => Ctx): Promise<void> {
  const endsAt = begin().now + SLICE_MS;
  for (let ctx = begin(); ctx.now < endsAt; ctx = begin()) if (!(await sendSome(ctx))) return;
  await begin().enqueue([NOTIFY_TASK]);
}

/**
 * Sends what has waited longest; whether there may be more for this job. One that fails stops none of the others; the
 * first failure is thrown at the end, and the clock finds what was left.
 */
async function sendSome(ctx: Ctx): Promise<boolean> {
  const { due, ...found } = await findAll(ctx);
  const failures: unknown[] = [];
  // One job takes up all that waits for an account.
  const accepted = new Map<string, string[]>();
  let last: Settled | undefined;
  for (const one of due) {
    last = await settle(ctx, one, found).catch((error: unknown) => {
      failures.push(error);
      return "ended" as const;
    });
    if (last === "taken" || last === "outdated") break;
    if (last !== "ended") accepted.set(last.accounts, last.messages);
  }
  if (accepted.size > 0) await ctx.enqueue([...accepted.values()].flat().map(dispatchTask));
  if (failures.length > 0) throw failures[0];
  return last !== undefined && last !== "taken";
}

async function findAll(ctx: Ctx): Promise<Found & { due: DueNotification[] }> {
  const [due, settings, templates, erasures, email, sms, chatapp] = await ctx.database.read([
    jsonQuery(ctx, selectDue(ctx, AT_ONCE)),
    setupQuery(ctx),
    jsonQuery(ctx, selectTemplates(sql`1`)),
    jsonQuery(ctx, sql<number>`SELECT ${lastErasure} AS snapshot`),
    activeProvider(ctx, "email"),
    activeProvider(ctx, "sms"),
    activeProvider(ctx, "chatapp"),
  ]);
  const [setup] = parseRows(settings);
  if (setup === undefined) throw new Error("The company has no settings of notifications");
  const providers = { email, sms, chatapp };
  const [erasure = 0] = parseRows(erasures);
  return { due: parseRows(due), setup, templates: parseRows(templates), providers, erasure };
}

/** Sends a notification, or says in its row why not. */
async function settle(ctx: Ctx, due: DueNotification, found: Found): Promise<Settled> {
  const { setup } = found;
  const moment = { now: ctx.now, quiet: quietHoursOf(setup), timezone: ctx.company.timezone };
  const stale = staleness(due, moment);
  // What no cap had room for in time stays what it was.
  if (stale === "late" && due.reason !== null) return end(ctx, due, "capped", due.reason);
  if (stale !== null) return end(ctx, due, "skipped", stale);
  const at = goesAt(due, moment);
  if (at > ctx.now) return mark(ctx, due, { dueAt: at });
  try {
    const message = await compose(ctx, due, found);
    return typeof message === "string"
      ? end(ctx, due, "skipped", message)
      : await send(ctx, due, message, found);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === "messaging_daily_cap") return wait(ctx, due, "daily_cap");
    if (error.code === "no_active_provider") return end(ctx, due, "failed", error.code);
    throw error;
  }
}

async function compose(ctx: Ctx, due: DueNotification, { setup, templates, providers }: Found) {
  const { rule, channel, recipient } = due;
  const provider = requireProvider(ctx, channel, carriersOf(ctx, due, providers[channel]));
  const isForStranger = !isOwn(recipient);
  const named = recipientsOf(due, setup);
  const recipients = isForStranger ? named.map((one) => ({ ...one, name: withoutLinks(one.name) })) : named;
  const preferred = recipients.length === 1 ? recipients[0]?.language : undefined;
  const language = preferred && setup.languages.includes(preferred) ? preferred : setup.default_language;
  const audience = recipient.replace(/:.*/, "");
  const { registered, ...text } = textFor({ rule, channel, audience, language }, templates);
  const isTelling = due.changes.length > 0;
  const told = isTelling && [toldLines(due.changes, language, ctx.company.timezone).join("\n")];
  const values = valuesOf(ctx, told === false ? due : { ...due, listed: told }, {
    language,
    companyName: setup.company_name,
    isForStranger,
  });
  return messageOf(ctx, {
    ...{ channel, rule, recipients, text, provider },
    values: { ...values, ...(await openedBy(ctx, due, language)) },
    fromName: setup.from_name,
    calendarOf: calendarOf(due),
    registered: registered ?? undefined,
  });
}

function calendarOf({ rule, recipient, record_id: booking }: DueNotification) {
  if (ruleOf(rule)?.hasCalendar !== true) return null;
  return { booking, instructor: instructorOf(recipient) };
}

/** Counts in the company's cap, and takes that back if another job has sent it. */
async function send(
  ctx: Ctx,
  due: DueNotification,
  message: Parameters<typeof storeMessage>[2],
  { setup: { daily_cap: cap }, erasure }: Found,
): Promise<Settled> {
  const { rule, recipient } = due;
  const most = isNotice(rule) ? Math.max(cap, NOTICES_CAP) : cap;
  const isBounded = due.by_stranger === 1 || NOTIFICATION_CAUSES[rule] === "payer";
  const platform = due.receivers === null ? null : platformMailer(ctx);
  const isAlsoByPlatform = platform !== null && message.provider.id !== null;
  const letters = [message, ...(isAlsoByPlatform ? [{ ...message, provider: platform }] : [])];
  const { giveBack } = await ctx.reserveOwnQuota(
    most,
    message.recipients.length * letters.length,
    (since) => spentSince(ctx, since),
    (since) => spentByAll(ctx, since),
    due.by_stranger === 1 ? shareOfStrangers(ctx, most) : undefined,
  );
  const ids = letters.map(() => newMessageId(ctx));
  const [id] = ids;
  const sent = { state: "sent" as const, messageId: id, reason: null, endedAt: ctx.now };
  const told = sql`SELECT count(*) FROM ${settingChanges} WHERE ${settingChanges.notificationId} = ${due.id}`;
  try {
    await systemWrite(ctx, [
      // A message is not made of what an erasure has taken since.
      refuseWhen(sql`${lastErasure} <> ${erasure}`, "version_conflict"),
      ...(isBounded ? [refuseFullHour(ctx, message.recipients, isOwn(recipient))] : []),
      // Nor of the changes of a setting, where another has joined them.
      refuseWhen(sql`(${told}) <> ${due.changes.length}`, "version_conflict"),
      ...letters.flatMap((letter, index) => storeMessage(ctx, ids[index] ?? "", letter)),
      ...change(ctx, due, sent),
    ]);
    return { messages: ids, accounts: letters.map(({ provider }) => provider.id).join() };
  } catch (error) {
    if (!(error instanceof BatchRefused)) throw error;
    await giveBack();
    if (error.code === "version_conflict") return "outdated";
    if (error.code === "limit_reached") return wait(ctx, due, "receiver_cap");
    if (error.code === "not_found") return "taken";
    logFault("notification", error);
    return end(ctx, due, "failed", error.code);
  }
}

/** Leaves it due until there may be room; what no event dates, and no lesson ends, is tried on the next day and then no more. */
function wait(ctx: Ctx, due: DueNotification, reason: "daily_cap" | "receiver_cap"): Promise<Settled> {
  const untilTomorrow = msUntilTomorrow(ctx.now, ctx.company.timezone);
  const isDated = due.at !== null || isReminder(due);
  if (!isDated && due.reason !== null) return end(ctx, due, "capped", reason);
  // While a booking is held, it is tried again before the hold ends.
  const held = ((due.facts ?? {}) as Partial<FactsOf["booking"]>).hold_expires_at ?? Number.POSITIVE_INFINITY;
  const soon = Math.max(MINUTE_MS, Math.min(HOUR_MS, (held - ctx.now) / 2));
  const waitMs = isDated ? Math.min(soon, untilTomorrow) : untilTomorrow;
  return mark(ctx, due, { reason, dueAt: Math.ceil(ctx.now + waitMs) });
}

function end(ctx: Ctx, due: DueNotification, state: State, reason: string): Promise<Settled> {
  return mark(ctx, due, { state, reason, endedAt: ctx.now });
}

async function mark(ctx: Ctx, due: DueNotification, values: Partial<Row>): Promise<Settled> {
  try {
    await systemWrite(ctx, change(ctx, due, values));
    return "ended";
  } catch (error) {
    if (error instanceof BatchRefused && error.code === "not_found") return "taken";
    throw error;
  }
}

/** The statements that change a notification while it is due; afterwards they are refused as `not_found`. */
function change(ctx: ReadCtx, { id, rule }: DueNotification, values: Partial<Row>): SQLWrapper[] {
  const isDue = and(eq(notifications.id, id), eq(notifications.state, "due"));
  const { state, messageId = null } = values;
  const told = state !== undefined && isNotice(rule) ? [endNotice(id, messageId)] : [];
  return [ctx.db.update(notifications).set(values).where(isDue), refuseIfNone("not_found"), ...told];
}
