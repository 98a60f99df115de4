import { eq, type SQLWrapper, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx, OutsideCtx, ReadCtx, WriteCtx } from "#core/context.ts";
import { requireSettingRights } from "#core/required-scope.ts";
import { added, from, internal, json, rendered } from "#core/sql/fields.ts";
import { readOne } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { atomic } from "#core/write/atomic.ts";
import { clockTimeToWire } from "#shared/fields/clock-time.ts";
import { Problem } from "#shared/problem.ts";
import {
  notifications,
  notificationRules as rules,
  notificationSettings as settings,
} from "#tables/notifications";
import { AUDIENCES } from "../rules.ts";
import { language } from "../schema.ts";
import { LogQuery, listNotifications, logged } from "./log.ts";
import { NotificationSettingsPatch, type RulePatch } from "./schema.ts";

type Channels = { email: number; sms: number; chatapp: number };
type QuietHours = { quiet_from: number | null; quiet_to: number | null };

const time = z.string().meta({ description: "`HH:MM` in the company's zone." });

const rule = record(rules, {
  rule: z.string(),
  email: internal<number>(),
  sms: internal<number>(),
  chatapp: internal<number>(),
  channels: added(
    z.object({ email: z.boolean(), sms: z.boolean(), chatapp: z.boolean() }),
    ({ email, sms, chatapp }: Channels) => ({
      email: email === 1,
      sms: sms === 1,
      chatapp: chatapp === 1,
    }),
  ),
  audience: json(z.array(z.enum(AUDIENCES))),
  hours: z.int().nullable().describe("For reminders: how long before the lesson; null for other rules."),
  days: json(
    z
      .array(z.int())
      .nullable()
      .describe("For overdue invoices: days after the due date; null for other rules."),
  ),
});
type RuleRow = RowOf<typeof rule>;
const allRules = sql<RuleRow[]>`(SELECT json_group_array(json(rule)) FROM (
  SELECT ${rule.columns()} AS rule FROM ${rules} ORDER BY ${rules.position}))`;

const notificationSettings = record(
  settings,
  {
    id: internal<number>(),
    from_name: z.string().nullable().describe("The sender's name in e-mails; null for the provider's."),
    languages: json(z.array(language)),
    default_language: language.describe("For those who prefer none, and for the company."),
    company_recipients: json(
      z.array(z.string()).describe("Who gets the company's notifications; empty: the profile's address."),
    ),
    quiet_from: internal<number | null>(),
    quiet_to: internal<number | null>(),
    quiet_hours: added(
      z
        .object({ from: time, to: time })
        .nullable()
        .describe("When no SMS or chat-app message is sent, in the company's time zone; null: never."),
      ({ quiet_from: start, quiet_to: end }: QuietHours) =>
        start === null || end === null ? null : { from: clockTimeToWire(start), to: clockTimeToWire(end) },
    ),
    daily_cap: z.int().describe("The most recipients of a day, in the company's time zone."),
    rules: from(
      allRules,
      rendered(z.array(rule.schema), (rows: RuleRow[]) => rows.map((row) => rule.render(row))),
    ),
  },
  "NotificationSettings",
);
type SettingsRow = RowOf<typeof notificationSettings>;
const stored = () => notificationSettings.select(sql`1`);

/** What the company has asked to be sent, how, and what became of it. */
export const notificationRoutes = new Router("Settings: Notifications", "/notifications")
  .settings({
    id: "NotificationSettings",
    words: "the settings of notifications",
    record: notificationSettings,
    patch: NotificationSettingsPatch,
    verbs: { get: (ctx: CallCtx) => readOne(ctx, stored()), update: updateSettings },
    description:
      "Waiting reminders follow the new rules. To change `company_recipients`, the key also needs `settings:read`, `orders:read` and `orders:write`, because the recipients get what these read, and links that resolve orders. A removed address gets a notice.",
    problems: ["conflict"],
  })
  .list({ listNotifications }, "/log", {
    summary: "List notifications and their outcomes",
    query: LogQuery,
    record: logged,
  });

/**
 * Changes the fields and rules sent. Waiting reminders are computed again by the new rules. 409 if a rule is turned on
 * and the service has no address for the links.
 */
async function updateSettings(
  ctx: WriteCtx & OutsideCtx,
  _params: unknown,
  patch: NotificationSettingsPatch,
): Promise<SettingsRow> {
  const { quiet_hours: quiet, rules: changed = [] } = patch;
  requireSettingRights(ctx, "notifications", Object.keys(patch));
  const turnsOn = changed.some(({ channels }) => Object.values(channels ?? {}).includes(true));
  if (turnsOn && ctx.services.publicOrigin === null)
    throw new Problem("conflict", { message: "The operator must first set PUBLIC_ORIGIN" });
  const values = {
    fromName: patch.from_name,
    languages: patch.languages && JSON.stringify(patch.languages),
    defaultLanguage: patch.default_language,
    companyRecipients: patch.company_recipients && JSON.stringify(patch.company_recipients),
    quietFrom: quiet === null ? null : quiet?.from,
    quietTo: quiet === null ? null : quiet?.to,
    dailyCap: patch.daily_cap,
    updatedAt: ctx.now,
  };
  const row = await atomic(
    ctx,
    [
      ctx.db.update(settings).set(values),
      ...changed.flatMap((rule) => changeRule(ctx, rule)),
      ctx.db
        .delete(notifications)
        .where(sql`${notifications.state} = 'due' AND ${notifications.rule} LIKE 'booking_reminder_%'`),
      // Of a higher cap, what waits for it.
      ctx.db
        .update(notifications)
        .set({ dueAt: ctx.now })
        .where(sql`${notifications.state} = 'due' AND ${notifications.reason} = 'daily_cap'`),
    ],
    stored(),
  );
  if (patch.daily_cap !== undefined) ctx.queueNotifications();
  return row;
}

function changeRule(ctx: ReadCtx, { rule, channels = {}, hours, days, audience }: RulePatch): SQLWrapper[] {
  const flag = (on: boolean | undefined) => (on === undefined ? undefined : Number(on));
  const values = {
    email: flag(channels.email),
    sms: flag(channels.sms),
    chatapp: flag(channels.chatapp),
    hours,
    days: days && JSON.stringify(days),
    audience: audience && JSON.stringify(audience),
  };
  if (Object.values(values).every((value) => value === undefined)) return [];
  return [ctx.db.update(rules).set(values).where(eq(rules.rule, rule))];
}
