import * as z from "zod";

export const Unit = z.object({
  id: z.string(),
  code: z.string().meta({ description: "Unit quantity code (UQC) of the GST returns." }),
  name: z.string(),
});
