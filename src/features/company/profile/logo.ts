import type { OutsideCtx } from "#core/context.ts";
import { isAllowed, namesOf } from "#core/outside-address.ts";
import { askOutside } from "#core/outside-request.ts";
import { imageKindOf } from "#shared/files/file-kinds.ts";
import { Upload } from "#shared/files/upload.ts";
import { fieldProblem } from "#shared/problem.ts";

const TIMEOUT_MS = 5_000;
const MOST_BYTES = 200 * 1024;

/** Fetches the image at a public address; 422 `not_an_image` for whatever else is there, or fails. */
export async function fetchLogo(ctx: OutsideCtx, url: string): Promise<Upload> {
  const isPublic = isAllowed(ctx, url) && (await namesOf(ctx, url)) === "public";
  const bytes = isPublic ? await bytesAt(ctx, new URL(url)) : undefined;
  const kind = bytes && imageKindOf(bytes);
  if (bytes !== undefined && kind !== undefined) return new Upload(`logo.${kind}`, bytes);
  throw fieldProblem(
    "logo_url",
    "not_an_image",
    "must be the public https address, without a redirect, of a PNG, JPEG or WebP image of at most 200 KB that comes within 5 seconds",
  );
}

/** What an address answers with; undefined where that is no success, is too much, or does not come in time. */
async function bytesAt(
  { services }: OutsideCtx,
  { origin, pathname, search }: URL,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const response = await askOutside(`${services.addressOf("image", origin)}${pathname}${search}`, {
      headers: { Accept: "image/png, image/jpeg, image/webp" },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status !== 200) return undefined;
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    for await (const piece of response.body ?? []) {
      size += piece.length;
      if (size > MOST_BYTES) return undefined;
      pieces.push(new Uint8Array(piece));
    }
    return new Uint8Array(await new Blob(pieces).arrayBuffer());
  } catch {
    return undefined;
  }
}
