import type { GstTreatment } from "#shared/gst/treatments.ts";

/** A line of an order: thousandths, ten-thousandths of the major unit, thousandths of a percent, minor units. */
export type OrderLine = {
  productId: number | null;
  name: string;
  description: string | null;
  hsnSacCode: string | null;
  quantity: number;
  unit: string;
  unitPrice: number;
  taxRate: number;
  gstTreatment: GstTreatment;
  isService: boolean;
  /** Quantity times price, without the tax on top. */
  total: number;
  /** Whether the price includes its tax. */
  includesTax: boolean;
  /** The tax on top that the service worked out, where the shop stated none. */
  addedTax: number;
};

/** The amounts of an order beside its lines, in minor units; a tax of 0 was not stated. */
export type OrderAmounts = { taxAmount: number; shippingAmount: number };
