import { eq, type SQLWrapper, sql } from "drizzle-orm";
import type { CallCtx, OutsideCtx, ReadCtx, WriteCtx } from "#core/context.ts";
import { type JsonRow, jsonObject } from "#core/sql/json.ts";
import { readOne } from "#core/sql/read-records.ts";
import { atomic } from "#core/write/atomic.ts";
import { clockTimeToWire } from "#shared/fields/clock-time.ts";
import { Problem } from "#shared/problem.ts";
import type { Language } from "#shared/text/language.ts";
import { requireReceiverRights } from "../receivers.ts";
import type { Audience } from "../rules.ts";
import { notifications, notificationRules as rules, notificationSettings as settings } from "../tables.ts";
import type { NotificationSettingsPatch, RulePatch } from "./schema.ts";

const ruleShape = {
  rule: rules.rule,
  email: rules.email,
  sms: rules.sms,
  chatapp: rules.chatapp,
  audience: sql<Audience[]>`json(${rules.audience})`,
  hours: rules.hours,
  days: sql<number[] | null>`json(${rules.days})`,
};
const shape = {
  id: settings.id,
  from_name: settings.fromName,
  languages: sql<Language[]>`json(${settings.languages})`,
  default_language: settings.defaultLanguage,
  company_recipients: sql<string[]>`json(${settings.companyRecipients})`,
  quiet_from: settings.quietFrom,
  quiet_to: settings.quietTo,
  daily_cap: settings.dailyCap,
  rules: sql<JsonRow<typeof ruleShape>[]>`(SELECT json_group_array(json(rule)) FROM (
    SELECT ${jsonObject(ruleShape)} AS rule FROM ${rules} ORDER BY ${rules.position}))`,
};
type SettingsRow = JsonRow<typeof shape>;
const select = () => sql<SettingsRow>`SELECT ${jsonObject(shape)} AS snapshot FROM ${settings}`;

/** What the company has asked to be sent, and how. */
export function getNotificationSettings(ctx: CallCtx): Promise<SettingsRow> {
  return readOne(ctx, select());
}

/**
 * Changes the fields and rules sent. Waiting reminders are computed again by the new rules. 409 if a rule is turned on
 * and the service has no address for the links.
 */
export async function updateNotificationSettings(
  ctx: WriteCtx & OutsideCtx,
  _params: unknown,
  patch: NotificationSettingsPatch,
): Promise<SettingsRow> {
  const { quiet_hours: quiet, rules: changed = [] } = patch;
  if (patch.company_recipients !== undefined) requireReceiverRights(ctx, "company");
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
    ],
    select(),
  );
  if (patch.company_recipients !== undefined) ctx.queueNotifications();
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

export function renderNotificationSettings({ id: _, quiet_from, quiet_to, ...row }: SettingsRow) {
  return {
    ...row,
    quiet_hours:
      quiet_from === null || quiet_to === null
        ? null
        : { from: clockTimeToWire(quiet_from), to: clockTimeToWire(quiet_to) },
    rules: row.rules.map(({ email, sms, chatapp, ...rule }) => ({
      ...rule,
      channels: { email: email === 1, sms: sms === 1, chatapp: chatapp === 1 },
    })),
  };
}
