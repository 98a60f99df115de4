import { sql } from "drizzle-orm";
import * as z from "zod";
import type { CallCtx, EncryptionCtx, WriteCtx } from "#core/context.ts";
import { from, internal, rendered } from "#core/sql/fields.ts";
import { readOne } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { atomic } from "#core/write/atomic.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { secretText } from "#shared/fields/text.ts";
import { leadSettings } from "#tables/leads";
import { turnstileSecrets } from "./secret-kinds.ts";

const HINT_CHARACTERS = 4;

const patch = patchOf(
  z.object({
    retention_days: z.int().min(1).max(36_500).nullable().meta({
      description:
        "The number of days after the last submission when a lead is erased. Null: leads are kept.",
    }),
    turnstile_secret: secretText({ min: 8, max: 200 }).nullable().meta({
      description: "The secret key of the company's Turnstile widget. If set, every form needs its token.",
    }),
  }),
);

const settings = record(leadSettings, {
  id: internal<number>(),
  retention_days: z.int().nullable().describe("Days after which a lead is erased; null: it is kept."),
  turnstile: from(
    leadSettings.turnstileHint,
    rendered(
      z.object({
        configured: z.boolean(),
        last_characters: z.string().nullable().describe("Of the secret, to know it by; null without one."),
      }),
      (hint: string | null) => ({ configured: hint !== null, last_characters: hint }),
    ),
  ),
});
const stored = () => settings.select(sql`1`);

/** For how long leads are kept, and whether forms need a token of Turnstile. */
export const settingsOfLeads = {
  path: "/lead-settings",
  id: "LeadSettings",
  words: "the settings of leads",
  record: settings,
  patch,
  verbs: { get: (ctx: CallCtx) => readOne(ctx, stored()), update: updateSettings },
};

async function updateSettings(
  ctx: WriteCtx & EncryptionCtx,
  _params: unknown,
  { retention_days: retentionDays, turnstile_secret: secret }: z.output<typeof patch>,
): Promise<RowOf<typeof settings>> {
  const change = ctx.db.update(leadSettings).set({
    retentionDays,
    turnstileSecret: secret && (await ctx.encrypt(turnstileSecrets, "", secret)),
    turnstileHint: secret === null ? null : secret?.slice(-HINT_CHARACTERS),
  });
  return atomic(ctx, [change], stored());
}
