import { eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { Ctx } from "#core/context.ts";
import { requireScope } from "#core/required-scope.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { flag, from, instant, internal } from "#core/sql/fields.ts";
import { readOne } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { atomic, takeTurn } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { noticeOfPayee, requireReceiverRights } from "#features/notifications";
import { registrationOf } from "#shared/gst/registration.ts";
import { ProfilePatch } from "./schema.ts";
import { profile } from "./tables.ts";

// The control database has it; `selectProfile` puts it in.
const ofCompany = from(sql<string>`''`, z.string());

const particulars = record(profile, {
  id: internal<number>(),
  name: z.string(),
  gstin: z.string().nullable(),
  state: z.string().nullable(),
  state_code: z.string().nullable(),
  country: ofCompany,
  currency: ofCompany,
  timezone: ofCompany,
  address: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  logo_url: z.string().nullable(),
  upi_id: z.string().nullable(),
  invoice_prefix: z.string(),
  allow_negative_stock: flag,
  lut_number: z.string().nullable(),
  lut_valid_until: z.string().nullable(),
  updated_at: instant,
});
/** The profile with what the control plane knows of the company, as it was when the row was read. */
type ProfileRow = RowOf<typeof particulars>;

export const profileRoutes = new Router("Settings: Company").settings({
  path: "/settings/:company/profile",
  id: "Profile",
  words: "the company's profile",
  record: particulars,
  patch: ProfilePatch,
  verbs: {
    get: (ctx: Ctx) => readOne(ctx, selectProfile(ctx, ctx.company.timezone)),
    update: updateProfile,
  },
  description:
    "Invoices that were issued keep the particulars of their day. `email` and `phone`, which notifications go to, ask also for `settings:read` and `orders:read`; the old address gets a notice. `upi_id`, which unpaid invoices show, asks also for `payments:write`; the company gets a notice.",
  problems: ["invalid_gstin", "gstin_state_mismatch", "invalid_state"],
  example: {
    stored: {
      name: "Demo Traders",
      gstin: "29AABCR1718E1ZL",
      state: "Karnataka",
      state_code: "29",
      country: "IN",
      currency: "INR",
      timezone: "Asia/Kolkata",
      address: "12 MG Road, Bengaluru 560001",
      email: "accounts@demo.example",
      phone: null,
      logo_url: null,
      upi_id: "demotraders@okbank",
      invoice_prefix: "INV",
      allow_negative_stock: false,
      lut_number: null,
      lut_valid_until: null,
      updated_at: "2026-11-21T09:30:00.000Z",
    },
    change: { upi_id: "demotraders@okbank" },
  },
});

/** Changes the fields sent; invoices that were issued keep the particulars of their day. */
async function updateProfile(ctx: Ctx, _params: unknown, patch: ProfilePatch): Promise<ProfileRow> {
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
        ...columnsOf(profile, patch, ["gstin", "state", "timezone"]),
        updatedAt: ctx.now,
      }),
    ],
    selectProfile(ctx, patch.timezone ?? ctx.company.timezone),
  );
  if (changesReceiver || patch.upi_id !== undefined) ctx.queueNotifications();
  return row;
}

function hasOtherUpiId(upiId: string | null): SQL {
  return sql`EXISTS (SELECT 1 FROM ${profile} WHERE ${profile.upiId} IS NOT ${upiId})`;
}

function selectProfile({ company }: Ctx, timezone: string): SQL<ProfileRow> {
  return sql`SELECT json_set(${particulars.columns()}, '$.country', ${company.country}, '$.currency', ${company.currency},
    '$.timezone', ${timezone}) AS snapshot FROM ${profile} WHERE ${eq(profile.id, 1)}`;
}
