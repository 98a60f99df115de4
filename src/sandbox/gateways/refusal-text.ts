import type * as z from "zod";

/** What is wrong with a body, in a plain sentence for each member. */
export function refusalText({ issues }: z.ZodError): string {
  return issues
    .map(({ code, path, message }) => {
      if (path.length > 0) return `${path.join(".")}: ${message}.`;
      return code === "invalid_type" ? "The body must be a JSON object." : `${message}.`;
    })
    .join(" ");
}

/** The words for a member that is none of a few. */
export function oneOf(words: readonly string[]): string {
  return `must be one of ${words.join(", ")}`;
}
