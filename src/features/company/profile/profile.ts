import { eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import type { Ctx } from "#core/context.ts";
import type { FileRecord } from "#core/files/folder.ts";
import { withFile } from "#core/files/with-file.ts";
import { requireSettingRights } from "#core/required-scope.ts";
import { columnsOf } from "#core/sql/columns.ts";
import { added, described, flag, from, instant, internal, nullable } from "#core/sql/fields.ts";
import { readOne } from "#core/sql/read-records.ts";
import { type RowOf, record } from "#core/sql/record.ts";
import { atomic, takeTurn } from "#core/write/atomic.ts";
import { read } from "#core/write/replay.ts";
import { GST_STATUSES, type GstStatus } from "#shared/gst/document-types.ts";
import { categoryOfGstin } from "#shared/gst/gstin.ts";
import { registrationOf } from "#shared/gst/registration.ts";
import { fieldProblem, type Problem } from "#shared/problem.ts";
import { profile } from "#tables/company";
import { fetchLogo } from "./logo.ts";
import { LOGOS } from "./logo-files.ts";
import { ProfilePatch } from "./schema.ts";

// The control database has it; `selectProfile` puts it in.
const ofCompany = from(sql<string>`''`, z.string());

const particulars = record(profile, {
  id: internal<number>(),
  name: z.string().describe("The legal name, as on invoices."),
  gstin: z.string().nullable(),
  state: z.string().nullable(),
  state_code: z.string().nullable().describe("Two-digit GST code; null outside India."),
  country: ofCompany,
  currency: ofCompany,
  timezone: ofCompany,
  address: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  logo_url: z.string().nullable(),
  logo_path: internal(profile.logoPath),
  upi_id: z.string().nullable().describe("Shown as a QR code on unpaid invoices."),
  invoices_payable_online: described(flag, "Whether unpaid invoices and their e-mails offer online payment."),
  invoice_prefix: z.string().describe("The first part of new invoice numbers."),
  credit_note_prefix: z.string().describe("The first part of new credit note numbers."),
  allow_negative_stock: flag,
  lut_number: z.string().nullable().describe("Of the letter of undertaking for exports without tax."),
  lut_valid_until: z.string().nullable().describe("The last day of the letter of undertaking."),
  said_gst_status: internal(profile.gstStatus),
  gst_status: added(
    z.enum(GST_STATUSES).nullable().meta({
      description:
        "Null: not said, or a company outside India. With a GSTIN it is `registered` unless it is set.",
    }),
    gstStatus,
  ),
  tax_registered: described(
    nullable(flag),
    "Whether a company outside India is registered for its country's tax; null if not said.",
  ),
  tax_label: z.string().nullable().describe("Outside India: what the tax is called."),
  tax_number: z.string().nullable().describe("Outside India: the tax number on invoices."),
  tax_number_label: z.string().nullable(),
  bank_name: z.string().nullable(),
  bank_account_name: z.string().nullable().describe("Whose account it is, as the bank has it."),
  bank_account_number: z.string().nullable().describe("Shown on unpaid invoices."),
  bank_ifsc: z.string().nullable().describe("The code of the branch, in India."),
  bank_swift: z.string().nullable().describe("The bank's code for transfers from abroad."),
  warnings: added(
    z.array(z.enum(["gst_status_not_said", "gstin_of_no_seller"])).meta({
      description:
        "`gst_status_not_said`: invoices show tax without saying whether the company may charge GST. `gstin_of_no_seller`: the GSTIN is of the form of one who deducts or collects tax (CGST Act, s.51 and s.52), or of a UIN, and a tax invoice has that of a supplier (CGST Rules, rule 46).",
    }),
    (row: Registered) => [
      ...(row.country === "IN" && gstStatus(row) === null ? ["gst_status_not_said" as const] : []),
      ...(categoryOfGstin(row.gstin ?? "") === "regular" ? [] : ["gstin_of_no_seller" as const]),
    ],
  ),
  updated_at: instant,
});
type Registered = { country: string; gstin: string | null; said_gst_status: GstStatus | null };

function gstStatus({ country, gstin, said_gst_status: said }: Registered): GstStatus | null {
  if (country !== "IN") return null;
  return said ?? (gstin === null ? null : "registered");
}

/** The profile with what the control plane knows of the company, as it was when the row was read. */
type ProfileRow = RowOf<typeof particulars>;

export const profileRoutes = new Router("Settings: Company", "/profile").settings({
  id: "Profile",
  words: "the company's profile",
  record: particulars,
  patch: ProfilePatch,
  keepsTexts: true,
  verbs: {
    get: (ctx: Ctx) => readOne(ctx, selectProfile(ctx, ctx.company.timezone)),
    update: updateProfile,
  },
  description:
    "Invoices that were issued keep the particulars of their day. `email` and `phone`, which notifications go to, ask also for `settings:read`, `orders:read` and `orders:write`; the old address gets a notice. `upi_id` and the bank account, which unpaid invoices show, ask also for `payments:write`; the company gets a notice.",
  problems: ["invalid_gstin", "gstin_state_mismatch", "invalid_state"],
});

/** Changes the fields sent; invoices that were issued keep the particulars of their day. */
async function updateProfile(ctx: Ctx, _params: unknown, patch: ProfilePatch): Promise<ProfileRow> {
  requireSettingRights(ctx, "profile", Object.keys(patch));
  refuseOtherCountry(ctx.company.country, patch);
  const [[stored]] = await read(ctx, [ctx.db.select().from(profile)]);
  if (stored === undefined) throw new Error("The company has no profile");
  const registration =
    patch.gstin === undefined && patch.state === undefined
      ? {}
      : registrationOf(ctx.company.country, {
          gstin: patch.gstin === undefined ? stored.gstin : patch.gstin,
          state: patch.state === undefined ? stored.state : patch.state,
        });
  const logo = patch.logo_url == null ? undefined : await fetchLogo(ctx, patch.logo_url);
  if (patch.timezone !== undefined) {
    // The time zone stands in the control database. It is set first: a retry of the whole call sets it again.
    await takeTurn(ctx);
    await ctx.changeTimezone(patch.timezone);
  }
  const write = (file: FileRecord | null) =>
    atomic(
      ctx,
      [
        ctx.db.update(profile).set({
          ...registration,
          ...columnsOf(profile, patch, ["gstin", "state", "timezone"]),
          ...(patch.logo_url !== undefined && { logoPath: file?.path ?? null, logoType: file?.type ?? null }),
          updatedAt: ctx.now,
        }),
      ],
      selectProfile(ctx, patch.timezone ?? ctx.company.timezone),
      {
        gstin_required: () => statusProblem("gstin_required"),
        prefixes_differ: () =>
          takenPrefix(patch.credit_note_prefix === undefined ? "invoice_prefix" : "credit_note_prefix"),
        invoice_prefix_taken: () => takenPrefix("invoice_prefix"),
        credit_note_prefix_taken: () => takenPrefix("credit_note_prefix"),
        gstin_present: () => statusProblem("gstin_present"),
      },
    );
  const row = await withFile(ctx, LOGOS, logo, write, (written) => written.logo_path);
  if (stored.logoPath !== null && row.logo_path !== stored.logoPath)
    ctx.afterwards(ctx.files(LOGOS).delete([stored.logoPath]));
  return row;
}

function takenPrefix(field: "invoice_prefix" | "credit_note_prefix"): Problem {
  return fieldProblem(field, "not_unique", "is or was the prefix of other documents");
}

/** Throws the 422 for what a company of this country does not have. */
function refuseOtherCountry(country: string, patch: ProfilePatch): void {
  const abroad = ["tax_registered", "tax_label", "tax_number", "tax_number_label"] as const;
  const foreign = country === "IN" ? abroad : (["gst_status"] as const);
  const field = foreign.find((name) => patch[name] != null);
  if (field === undefined) return;
  const where = country === "IN" ? "outside India" : "in India";
  throw fieldProblem(field, "not_accepted", `is for companies ${where}`);
}

function statusProblem(code: "gstin_required" | "gstin_present"): Problem {
  const message = code === "gstin_required" ? "needs a GSTIN" : "is not that of a company with a GSTIN";
  return fieldProblem("gst_status", code, message);
}

function selectProfile({ company }: Ctx, timezone: string): SQL<ProfileRow> {
  return sql`SELECT json_set(${particulars.columns()}, '$.country', ${company.country}, '$.currency', ${company.currency},
    '$.timezone', ${timezone}) AS snapshot FROM ${profile} WHERE ${eq(profile.id, 1)}`;
}
