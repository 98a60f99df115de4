import { eq, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#core/context.ts";
import { requireScope } from "#core/required-scope.ts";
import { type JsonRow, jsonObject, once } from "#core/sql/json.ts";
import { readOne } from "#core/sql/read-records.ts";
import { atomic, takeTurn } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { noticeOfPayee, requireReceiverRights } from "#features/notifications";
import { registrationOf } from "#shared/gst/registration.ts";
import { timestampToWire } from "#shared/time/dates.ts";
import type { ProfilePatch } from "./schema.ts";
import { profile } from "./tables.ts";

const shape = {
  id: profile.id,
  name: profile.name,
  gstin: profile.gstin,
  state: profile.state,
  state_code: profile.stateCode,
  address: profile.address,
  email: profile.email,
  phone: profile.phone,
  logo_url: profile.logoUrl,
  upi_id: profile.upiId,
  invoice_prefix: profile.invoicePrefix,
  allow_negative_stock: profile.allowNegativeStock,
  lut_number: profile.lutNumber,
  lut_valid_until: profile.lutValidUntil,
  updated_at: profile.updatedAt,
};
/** The profile with what the control plane knows of the company, as it was when the row was read. */
export type ProfileRow = JsonRow<typeof shape> & { country: string; currency: string; timezone: string };

const columns = once(() => jsonObject(shape));

export function getProfile(ctx: Ctx): Promise<ProfileRow> {
  return readOne(ctx, selectProfile(ctx, ctx.company.timezone));
}

/** Changes the fields sent; invoices that were issued keep the particulars of their day. */
export async function updateProfile(ctx: Ctx, _params: unknown, patch: ProfilePatch): Promise<ProfileRow> {
  const changesReceiver = patch.email !== undefined || patch.phone !== undefined;
  if (changesReceiver) requireReceiverRights(ctx, "company");
  // Unpaid invoices show it as where to pay.
  if (patch.upi_id !== undefined) requireScope(ctx, "payments:write");
  const [[stored]] = await read(ctx, [ctx.db.select().from(profile)]);
  if (stored === undefined) throw new Error("The company has no profile");
  const registration =
    patch.gstin === undefined && patch.state === undefined
      ? {}
      : registrationOf(ctx.company.country, {
          gstin: patch.gstin === undefined ? stored.gstin : patch.gstin,
          state: patch.state === undefined ? stored.state : patch.state,
        });
  if (patch.timezone !== undefined) {
    // The time zone stands in the control database. It is set first: a retry of the whole call sets it again.
    await takeTurn(ctx);
    await ctx.changeTimezone(patch.timezone);
  }
  const row = await atomic(
    ctx,
    [
      ...(patch.upi_id === undefined ? [] : [noticeOfPayee(ctx, "profile", hasOtherUpiId(patch.upi_id))]),
      ctx.db.update(profile).set({
        ...registration,
        name: patch.name,
        address: patch.address,
        email: patch.email,
        phone: patch.phone,
        logoUrl: patch.logo_url,
        upiId: patch.upi_id,
        invoicePrefix: patch.invoice_prefix,
        allowNegativeStock:
          patch.allow_negative_stock === undefined ? undefined : Number(patch.allow_negative_stock),
        lutNumber: patch.lut_number,
        lutValidUntil: patch.lut_valid_until,
        updatedAt: ctx.now,
      }),
    ],
    selectProfile(ctx, patch.timezone ?? ctx.company.timezone),
  );
  if (changesReceiver || patch.upi_id !== undefined) ctx.queueNotifications();
  return row;
}

export function renderProfile(row: ProfileRow) {
  return {
    ...row,
    allow_negative_stock: row.allow_negative_stock === 1,
    updated_at: timestampToWire(row.updated_at),
  };
}

function hasOtherUpiId(upiId: string | null): SQL {
  return sql`EXISTS (SELECT 1 FROM ${profile} WHERE ${profile.upiId} IS NOT ${upiId})`;
}

function selectProfile({ company }: Ctx, timezone: string): SQL<ProfileRow> {
  return sql`SELECT json_set(${columns()}, '$.country', ${company.country}, '$.currency', ${company.currency},
    '$.timezone', ${timezone}) AS snapshot FROM ${profile} WHERE ${eq(profile.id, 1)}`;
}
