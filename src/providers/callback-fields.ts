import type { Callback } from "#api/operations/callback.ts";
import { parsed } from "#shared/json.ts";

/** The fields of a callback, wherever it carries them: form, JSON object, query string. */
export function fieldsOf({ headers, body, url }: Callback): Record<string, unknown> {
  const query = Object.fromEntries(new URL(url).searchParams);
  const text = new TextDecoder().decode(body);
  if (text === "") return query;
  if (headers.get("Content-Type")?.includes("json")) return { ...query, ...Object(jsonOf({ body })) };
  return { ...query, ...Object.fromEntries(new URLSearchParams(text)) };
}

/** The JSON of a callback's body, or undefined. */
export function jsonOf({ body }: Pick<Callback, "body">): unknown {
  return parsed(new TextDecoder().decode(body));
}
