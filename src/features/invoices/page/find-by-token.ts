import { sql } from "drizzle-orm";
import type { FileCtx, ReadCtx } from "#core/context.ts";
import { jsonObject, jsonQuery, parseRows } from "#core/sql/json.ts";
import { LOGOS } from "#features/company";
import { pick } from "#shared/pick.ts";
import { Problem } from "#shared/problem.ts";
import { profile } from "#tables/company";
import { invoices } from "#tables/invoices";
import { type InvoiceRow, selectInvoices } from "../invoices/record.ts";
import { type MoneyOfNotes, selectMoneyOfNotes } from "./money-of-notes.ts";
import { offersPayment, PAY_OFFER, type PayOffer } from "./pay-offer.ts";

/** The columns of how the seller is reached and paid. */
export const CONTACT = {
  ...pick(profile, "email", "phone", "upiId", "bankName", "bankAccountName", "bankAccountNumber"),
  ...pick(profile, "bankIfsc", "bankSwift", "logoPath", "logoType"),
};

/** How the seller is reached and paid today; the invoice itself keeps what was true on the day of issue. */
export type SellerContact = Record<keyof typeof CONTACT, string | null> & {
  /** The logo as a `data:` address. */
  logo: string | null;
};
export type HostedInvoice = {
  row: InvoiceRow;
  contact: SellerContact;
  /** Where it is paid through the company's gateway; null where it is not. */
  payPath: string | null;
  /** Whether a gateway has money for it that is not settled. */
  holdsMoney: boolean;
  moneyOfNotes: MoneyOfNotes;
};

/** The invoice of a public token; 404 for an unknown one, 410 once it is voided. */
export async function findInvoiceByToken(ctx: ReadCtx & FileCtx, token: string): Promise<HostedInvoice> {
  const own = sql`WHERE ${invoices.publicToken} = ${token}`;
  const [rows, [contact], offers, sums] = await ctx.database.read([
    jsonQuery(ctx, selectInvoices(ctx, own)),
    ctx.db.select(CONTACT).from(profile),
    jsonQuery(ctx, sql<PayOffer>`SELECT ${jsonObject(PAY_OFFER)} AS snapshot FROM ${invoices} ${own}`),
    jsonQuery(ctx, selectMoneyOfNotes(own)),
  ]);
  const [[row], [offer], [moneyOfNotes]] = [parseRows(rows), parseRows(offers), parseRows(sums)];
  if (row === undefined || contact === undefined || offer === undefined || moneyOfNotes === undefined)
    throw new Problem("not_found");
  if (row.invoice.status === "voided") throw new Problem("invoice_voided", { status: 410 });
  return {
    row,
    contact: { ...contact, logo: await logoOf(ctx, contact) },
    payPath: offersPayment(offer) ? `/i/${ctx.company.slug}/${token}/pay` : null,
    holdsMoney: offer.holdsMoney === 1,
    moneyOfNotes,
  };
}

/** The logo as a `data:` address, for the page loads nothing; null where there is none. */
export async function logoOf(
  ctx: FileCtx,
  { logoPath: path, logoType: type }: Record<"logoPath" | "logoType", string | null>,
): Promise<string | null> {
  if (path === null || type === null) return null;
  const file = await ctx
    .files(LOGOS)
    .get({ path, name: "", type })
    .catch(() => null);
  if (file === null) return null;
  const bytes = new Uint8Array(await new Response(file.body).arrayBuffer());
  return `data:${type};base64,${bytes.toBase64()}`;
}
