import type { GstStatus } from "#shared/gst/document-types.ts";

/** What a seller says of its right to charge tax. */
export type Registered = { gstin: string | null; gstStatus: GstStatus | null; taxRegistered: number | null };

/** How a company in India stands to GST: as it says, else by its GSTIN; null: not said. */
export function gstStatusOf({ gstin, gstStatus }: Pick<Registered, "gstin" | "gstStatus">): GstStatus | null {
  return gstStatus ?? (gstin === null ? null : "registered");
}

/** Whether a company may charge tax: it must not have said that it is not registered to (CGST Act, s.32). */
export function mayChargeTax({ gstStatus, taxRegistered }: Omit<Registered, "gstin">): boolean {
  return (gstStatus === null || gstStatus === "registered") && taxRegistered !== 0;
}
