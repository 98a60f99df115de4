import * as z from "zod";

const LOCAL_HOSTS = new Set(["localhost", "127.0.0.1"]);

/**
 * One entry of a publishable key's allow-list, normalised to `scheme://host[:port]`: lower case, IDN in ASCII, no
 * default port, no path. `https://*.host` allows every host below `host`, which has at least two labels.
 */
export const allowedOrigin = z
  .string()
  .max(255)
  .transform((text, context) => {
    const origin = normalise(text.trim());
    if (origin !== undefined) return origin;
    context.addIssue({
      code: "custom",
      params: { code: "invalid_origin" },
      message:
        "must be an origin such as https://book.example.com or https://*.example.com (http for localhost only)",
    });
    return z.NEVER;
  });

function normalise(text: string): string | undefined {
  const wildcard = text.includes("://*.");
  const plain = text.replace("://*.", "://");
  if (plain.includes("*") || !URL.canParse(plain)) return undefined;
  const url = new URL(plain);
  const bare =
    url.pathname === "/" &&
    url.search === "" &&
    url.hash === "" &&
    url.username === "" &&
    url.password === "";
  const local = LOCAL_HOSTS.has(url.hostname);
  const scheme = url.protocol === "https:" || (url.protocol === "http:" && local);
  const deepEnough = !wildcard || (!local && url.hostname.split(".").length >= 2);
  if (!bare || !scheme || !deepEnough || text.endsWith("/")) return undefined;
  return wildcard ? url.origin.replace("://", "://*.") : url.origin;
}
