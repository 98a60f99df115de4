import * as z from "zod";

const Broken = z.object({
  invariant: z.string().meta({ description: "The sentence that does not hold." }),
  rows: z.int().meta({ description: "How many records break it." }),
  ids: z.array(z.string()).meta({ description: "Up to 20 of them." }),
});
export const BooksCheck = z.object({
  sound: z.boolean(),
  broken: z.array(Broken).meta({ description: "Empty for a sound company." }),
  open: z
    .array(Broken)
    .meta({ description: "What is no fault, but waits for the staff: documents without a journal entry." }),
});
export const SelfCheck = BooksCheck.extend({
  slug: z.string(),
  skipped: z.array(z.string()).meta({
    description:
      "What was not looked at: `storage`, in a database above 2 GB; `audit log before row N`, where it is long.",
  }),
});
