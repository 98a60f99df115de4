/** What GST makes of goods or a service. */
export const GST_TREATMENTS = ["taxable", "nil_rated", "exempt", "non_gst"] as const;
export type GstTreatment = (typeof GST_TREATMENTS)[number];

/** The treatment of a rate, in thousandths of a percent, where none is named. */
export function treatmentOf(rate: number, named: GstTreatment | null | undefined): GstTreatment {
  return named ?? (rate > 0 ? "taxable" : "nil_rated");
}
