import { financialYearOf } from "#shared/time/financial-year.ts";

/** Whether the tax of an invoice may no longer be taken back (section 34(2) of the CGST Act): after 30 November of the next financial year. */
export function isTimeBarred(country: string, invoiceDate: string, noteDate: string): boolean {
  if (country !== "IN") return false;
  const ends = financialYearOf(invoiceDate, country).end.slice(0, 4);
  return noteDate > `${ends}-11-30`;
}
