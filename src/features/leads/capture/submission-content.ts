import { sha256Hex } from "#core/secrets/hash.ts";
import type { Upload } from "#shared/files/upload.ts";
import { MENDED, type Mend } from "../leads/mend.ts";
import { fitsMetadata, LEAD_FIELDS, type LeadForm } from "../leads/schema.ts";

const NOT_KEPT = new Set(["attachment", "metadata", "turnstile_token", "_hp", "_elapsed_ms", MENDED]);

export type LeadWarning = Omit<Mend, "value">;

/**
 * All that was sent and is worth keeping, by name, and what was not taken as sent. What the form has of its own, and what
 * its fields did not take, stands under `metadata`.
 */
export function contentOf(form: LeadForm, mends: readonly Mend[]) {
  const content: Record<string, unknown> = {};
  let metadata: Record<string, unknown> = form.metadata ?? {};
  const keep = (name: string, value: unknown) => {
    if (NOT_KEPT.has(name) || !fitsMetadata({ [name]: value, ...metadata })) return false;
    metadata = { [name]: value, ...metadata };
    return true;
  };
  const warnings: LeadWarning[] = mends.map(({ field, code, value }) =>
    code !== "kept_in_metadata" || keep(field, value) ? { field, code } : { field, code: "not_kept" },
  );
  for (const [name, value] of Object.entries(form)) {
    if (value == null || NOT_KEPT.has(name)) continue;
    if (LEAD_FIELDS.has(name)) content[name] = value;
    else if (!keep(name, value)) warnings.push({ field: name, code: "not_kept" });
  }
  return { content: Object.keys(metadata).length === 0 ? content : { ...content, metadata }, warnings };
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
