import { sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx, WriteCtx } from "#core/context.ts";
import { internal } from "#core/sql/fields.ts";
import { readOne } from "#core/sql/read-records.ts";
import { record } from "#core/sql/record.ts";
import { atomic } from "#core/write/atomic.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { recruitmentSettings } from "#tables/recruitment";

const retentionDays = z.int().min(1).max(36_500).nullable().meta({
  description: "The number of days after which an application is erased. Null: applications are kept.",
});
const settings = record(
  recruitmentSettings,
  { id: internal<number>(), retention_days: retentionDays },
  "RecruitmentSettings",
);
const patch = patchOf(settings.schema);
const select = () => settings.select(sql`true`);

export const recruitmentSettingsRoutes = new Router(
  "Settings: Applications",
  "/recruitment-settings",
).settings({
  id: "RecruitmentSettings",
  words: "the settings of recruitment",
  record: settings,
  patch,
  verbs: {
    get: (ctx: CallCtx) => readOne(ctx, select()),
    update: (ctx: WriteCtx, _params, { retention_days: retentionDays }) =>
      atomic(ctx, [ctx.db.update(recruitmentSettings).set({ retentionDays })], select()),
  },
});
