import * as z from "zod";

/** An e-mail address of at most 254 characters, as mail goes to no longer one. */
export const emailAddress = z
  .string()
  .max(254, "must have at most 254 characters")
  .regex(z.regexes.email, "must be an e-mail address")
  .meta({ format: "email" });
