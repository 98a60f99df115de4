import * as z from "zod";

/** An id of the caller's own, in a body or a query. */
const externalId = z
  .string()
  .regex(/^[!-~]{1,120}$/, "must be 1 to 120 visible ASCII characters, without a space")
  // In an address these are no names.
  .refine((id) => id !== "." && id !== "..", "must not be . or ..");

/** The path of a record by the caller's own id. */
export const ExternalParams = z.object({
  external_id: externalId.meta({ description: "Your own id, percent-encoded.", examples: ["C-101"] }),
});
export type ExternalParams = z.infer<typeof ExternalParams>;

/** The member of a body that makes a record. */
export const externalIdMember = externalId.nullable().optional().meta({
  description: "Your own id of the record: unique among those of its kind, for ever. It never changes.",
});

/** The parameter of a list. */
export const externalIdFilter = externalId.optional().meta({ description: "Your own id of the record." });
