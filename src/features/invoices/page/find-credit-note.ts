import { sql } from "drizzle-orm";
import type { FileCtx, ReadCtx } from "#core/context.ts";
import { jsonQuery, parseRows } from "#core/sql/json.ts";
import { type CreditNoteRow, selectCreditNotes } from "#features/credit-notes";
import { Problem } from "#shared/problem.ts";
import { profile } from "#tables/company";
import { creditNotes } from "#tables/credit-notes";
import { CONTACT, logoOf, type SellerContact } from "./find-by-token.ts";

export type HostedCreditNote = { row: CreditNoteRow; contact: SellerContact };

/** The credit note of a public token; 404 for an unknown one, 410 once it is voided. */
export async function findCreditNoteByToken(
  ctx: ReadCtx & FileCtx,
  token: string,
): Promise<HostedCreditNote> {
  const [rows, [contact]] = await ctx.database.read([
    jsonQuery(ctx, selectCreditNotes(sql`${creditNotes.publicToken} = ${token}`)),
    ctx.db.select(CONTACT).from(profile),
  ]);
  const [row] = parseRows(rows);
  if (row === undefined || contact === undefined) throw new Problem("not_found");
  if (row.status === "voided") throw new Problem("credit_note_voided", { status: 410 });
  return { row, contact: { ...contact, logo: await logoOf(ctx, contact) } };
}
