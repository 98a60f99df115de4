import { sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { CallCtx, OutsideCtx, WriteCtx } from "#core/context.ts";
import { requireSettingRights } from "#core/required-scope.ts";
import { described, instant, internal, nullable } from "#core/sql/fields.ts";
import { readOne } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { atomic } from "#core/write/atomic.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { refundSettings } from "#tables/refunds";

const autoRefund = z.enum(refundSettings.autoRefund.enumValues).meta({
  description:
    "`duplicates_and_late`: what came twice, or for a lesson that could not take place any more, goes back by itself after 15 minutes. `off`: staff send it back.",
});
const RefundSettingsPatch = patchOf(z.object({ auto_refund: autoRefund }));
type RefundSettingsPatch = z.infer<typeof RefundSettingsPatch>;

const settings = record(refundSettings, {
  id: internal<number>(),
  auto_refund: autoRefund,
  auto_since: described(nullable(instant), "Since when. What came before stays with the staff."),
});
const stored = () => settings.select(sql`true`);

export const refundSettingsRoutes = new Router("Settings: Refunds", "/refund-settings").settings({
  id: "RefundSettings",
  words: "what goes back by itself",
  record: settings,
  patch: RefundSettingsPatch,
  verbs: { get: (ctx: CallCtx) => readOne(ctx, stored()), update: updateRefundSettings },
  description: "A change asks also for `refunds:write`, because it moves money out.",
});

function updateRefundSettings(
  ctx: WriteCtx & OutsideCtx,
  _params: unknown,
  { auto_refund: wanted }: RefundSettingsPatch,
): Promise<RowOf<typeof settings>> {
  requireSettingRights(ctx, "refund-settings");
  const { autoSince } = refundSettings;
  const since = wanted === "off" ? null : sql`coalesce(${autoSince}, ${ctx.now})`;
  const change = wanted === undefined ? { autoRefund: undefined } : { autoRefund: wanted, autoSince: since };
  return atomic(ctx, [ctx.db.update(refundSettings).set(change)], stored());
}
