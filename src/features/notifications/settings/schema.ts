import * as z from "zod";
import { emailAddress } from "#shared/contact/email-address.ts";
import { clockTime, DAY_MINUTES, endTime } from "#shared/fields/clock-time.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanText } from "#shared/fields/text.ts";
import { AUDIENCES, RULE_NAMES, RULES } from "../rules.ts";
import { language } from "../schema.ts";

const MOST_RECIPIENTS = 10;
const MOST_DAYS = 5;
const MOST_CAP = 1_000_000;

const once = <Item>(items: Item[]): Item[] => [...new Set(items)];

const quietHours = z
  .object({
    from: clockTime.meta({ description: "`HH:MM`, when quiet hours start." }),
    to: endTime.transform((minute) => minute % DAY_MINUTES).describe("`HH:MM`, when quiet hours end."),
  })
  .refine(({ from, to }) => from !== to, {
    path: ["to"],
    params: { code: "invalid_value" },
    error: "must be another time than from",
  });

const rule = z
  .object({
    rule: z.enum(RULE_NAMES),
    channels: z
      .object({
        email: z.boolean(),
        sms: z.boolean(),
        chatapp: z.boolean(),
      })
      .partial()
      .optional()
      .meta({ description: "The channels to turn on or off. The others do not change." }),
    hours: z.int().min(1).max(168).optional().describe("For reminders: how long before the lesson."),
    days: z
      .array(z.int().min(1).max(90))
      .min(1, "must not be empty")
      .max(MOST_DAYS, `must have at most ${MOST_DAYS} items`)
      .transform(once)
      .optional()
      .meta({ description: "For `invoice_overdue`: how long after the due date." }),
    audience: z
      .array(z.enum(AUDIENCES))
      .min(1, "must not be empty")
      .transform(once)
      .optional()
      .meta({ description: "The receivers, out of those that the rule allows." }),
  })
  .superRefine((sent, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: "custom", params: { code: "invalid_value" }, path: [path], message });
    if (sent.hours !== undefined && !sent.rule.startsWith("booking_reminder_"))
      refuse("hours", "is of reminders alone");
    if (sent.days !== undefined && sent.rule !== "invoice_overdue")
      refuse("days", "is of invoice_overdue alone");
    const { to }: { to: readonly string[] } = RULES[sent.rule];
    if (sent.audience?.some((one) => !to.includes(one))) refuse("audience", `must be of ${to.join(", ")}`);
  });

const fields = z.object({
  from_name: cleanText({ min: 1, max: 100 })
    .regex(/^[^<>@"]*$/, "must be a name, without an address")
    .nullable()
    .meta({ description: "The sender's name in e-mails. Null: the provider's." }),
  languages: z
    .array(language)
    .transform(once)
    .meta({ description: "A customer who prefers one of these languages gets messages in it." }),
  default_language: language.describe("The language for all other customers, and for the company."),
  company_recipients: z
    .array(emailAddress)
    .max(MOST_RECIPIENTS, `must have at most ${MOST_RECIPIENTS} addresses`)
    .transform(once)
    .describe("The addresses that get the company's notifications. Empty: the address of its profile."),
  quiet_hours: quietHours
    .nullable()
    .describe("In the company's time zone. No SMS or chat-app message is sent in these hours; e-mails are."),
  daily_cap: z.int().min(0).max(MOST_CAP).describe("Recipients a day, in the company's time zone."),
  rules: z
    .array(rule)
    .min(1, "must not be empty")
    .max(RULE_NAMES.length, `must have at most ${RULE_NAMES.length} items`)
    .meta({ description: "The rules to change. The others do not change." }),
});

export const NotificationSettingsPatch = patchOf(fields);

export type NotificationSettingsPatch = z.output<typeof NotificationSettingsPatch>;
export type RulePatch = z.output<typeof rule>;
