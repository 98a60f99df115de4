import * as z from "zod";

/** Who buys, as the invoice keeps it. */
export const InvoiceCustomer = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  gstin: z.string().nullable(),
  company_name: z.string().nullable(),
  gst_category: z.string(),
  billing_address: z.object({
    address: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string(),
    state_code: z.string().nullable(),
    pincode: z.string(),
    country: z.string().meta({ description: "The country as used for tax." }),
    country_text: z
      .string()
      .nullable()
      .meta({ description: "The country as the shop sent it, if it names no known country." }),
  }),
  shipping_address: z
    .object({
      name: z.string().nullable(),
      phone: z.string().nullable(),
      address: z.string().nullable(),
      city: z.string().nullable(),
      state: z.string().nullable(),
      state_code: z.string().nullable(),
      pincode: z.string().nullable(),
      country: z.string().nullable(),
    })
    .nullable(),
});

/** Who sells, as the invoice keeps it. */
export const InvoiceSeller = z.object({
  legal_name: z.string(),
  gstin: z.string().nullable(),
  address: z.string().nullable(),
  state_code: z.string().nullable(),
  lut_number: z
    .string()
    .nullable()
    .meta({ description: "The letter of undertaking that was valid at the time." }),
});
