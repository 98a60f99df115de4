import { sha256Hex } from "#core/secrets/hash.ts";
import type { Upload } from "#shared/files/upload.ts";
import { fitsMetadata, LEAD_FIELDS, type LeadForm } from "../leads/schema.ts";

const NOT_KEPT = new Set(["attachment", "metadata", "turnstile_token", "_hp", "_elapsed_ms"]);

/** All that was sent and is worth keeping, by name; what the form has of its own stands under `metadata`. */
export function contentOf(form: LeadForm): Record<string, unknown> {
  const content: Record<string, unknown> = {};
  let metadata: Record<string, unknown> = form.metadata ?? {};
  for (const [name, value] of Object.entries(form)) {
    if (value == null || NOT_KEPT.has(name)) continue;
    if (LEAD_FIELDS.has(name)) content[name] = value;
    else if (fitsMetadata({ [name]: value, ...metadata })) metadata = { [name]: value, ...metadata };
  }
  return Object.keys(metadata).length === 0 ? content : { ...content, metadata };
}

/**
 * A hash that is equal for submissions of equal content, whatever the order of their fields and the name of their file.
 */
export async function hashOf(
  content: Record<string, unknown>,
  attachment: Upload | undefined,
): Promise<string> {
  const file = attachment === undefined ? "" : await sha256Hex(attachment.bytes);
  return sha256Hex(JSON.stringify([content, file], byName));
}

/** Lets JSON.stringify write every object's members in the order of their names. */
function byName(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
