import * as z from "zod";
import { isPublicHost } from "./public-host.ts";

/** A public https address: no port, no IP address, no name of a private network. */
export const publicUrl = z
  .string()
  .max(500)
  .refine(isPublicUrl, {
    params: { code: "invalid_url" },
    error: "must be an https address on a public host",
  });

/** Whether a text is such an address, by its letters. */
export function isPublicUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" || url.port !== "" || url.username !== "" || url.password !== "")
    return false;
  return isPublicHost(url.hostname);
}
