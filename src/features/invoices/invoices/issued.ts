import * as z from "zod";
import { companyDate } from "#core/calendar.ts";
import { UNPOSTED_REASONS } from "#shared/payments/posting-warnings.ts";
import { MISSING_PARTICULARS, missingParticulars } from "./missing-particulars.ts";
import { type Home, type IssuedRow, invoice, renderInvoice } from "./record.ts";

/** An invoice that was just issued, with what its issuer should know. */
export const IssuedInvoice = invoice.schema
  .extend({
    warnings: z
      .array(z.enum([...UNPOSTED_REASONS, ...MISSING_PARTICULARS]))
      .optional()
      .describe(
        "Why no journal entry was posted, what the law wants on the document that is missing, and what contradicts a GSTIN. Absent where there is none.",
      ),
  })
  .meta({ id: "IssuedInvoice" });

/** The same as it is answered. */
export function renderIssued({ unposted, ...row }: IssuedRow, ctx: Home) {
  const issued = renderInvoice(row, ctx);
  const issuedOn = companyDate(Date.parse(issued.created_at), ctx.company.timezone);
  const warnings = [...(unposted == null ? [] : [unposted]), ...missingParticulars(issued, issuedOn)];
  return { ...issued, ...(warnings.length === 0 ? {} : { warnings }) };
}
