import { MOST_FILE_BYTES } from "#shared/files/upload.ts";
import { MINUTE_MS } from "#shared/time/durations.ts";
import { again } from "../../again.ts";
import { Failure } from "../../failure.ts";
import { addressOf, bearer, type PlatformArguments } from "../../request.ts";
import type { BackedFile, HeldFile } from "./section.ts";

/** Gives a file's bytes; null where it is gone. */
export type FetchFile = (file: HeldFile) => Promise<Buffer | null>;

/** Fetches files of a company from the service. */
export function fetcherOf(args: PlatformArguments, slug: string): FetchFile {
  return async (file) => {
    const response = await ask(args, slug, file, { method: "GET" });
    if (response === null) return null;
    const bytes = Buffer.from(await response.arrayBuffer());
    if (bytes.length > MOST_FILE_BYTES)
      throw new Failure(`${nameOf(file)} has more than ${MOST_FILE_BYTES} bytes`);
    return bytes;
  };
}

/** Whether the service has a file of the company. */
export async function isStored(args: PlatformArguments, slug: string, file: HeldFile): Promise<boolean> {
  return (await ask(args, slug, file, { method: "HEAD" })) !== null;
}

/** Puts a file of the company back, unless it is there. */
export async function storeFile(
  args: PlatformArguments,
  slug: string,
  { bytes, ...file }: BackedFile & { bytes: Buffer },
): Promise<void> {
  const headers = { "Content-Type": file.type, "X-Content-SHA256": file.sha256 };
  const stored = await ask(args, slug, file, { method: "PUT", headers, body: new Uint8Array(bytes) });
  if (stored === null) throw new Failure(`The service does not take ${nameOf(file)}`);
}

/** Asks, and again while that may help. Null where the answer is that the file is not there. */
function ask(...call: Parameters<typeof askOnce>): Promise<Response | null> {
  return again(() => askOnce(...call));
}

async function askOnce(
  args: PlatformArguments,
  slug: string,
  file: HeldFile,
  { headers, ...init }: RequestInit & { headers?: Record<string, string> },
): Promise<Response | null> {
  const path = file.path.split("/").map(encodeURIComponent).join("/");
  const url = new URL(`/platform/companies/${slug}/files/${file.folder}/${path}`, addressOf(args));
  const response = await fetch(url, {
    ...init,
    headers: { ...bearer(args), ...headers },
    signal: AbortSignal.timeout(MINUTE_MS),
  }).catch(() => {
    throw new Failure(`${url.origin} does not answer: is it running, and is --url right?`, false);
  });
  if (response.ok) return response;
  const { code, message } = Object(await response.json().catch(() => undefined)) as Record<string, string>;
  // A HEAD has no body that says more; the company and the service have answered before.
  if (response.status === 404 && (code === "not_found" || init.method === "HEAD")) return null;
  const said = `${nameOf(file)}: ${code ?? response.status}: ${message ?? "is --url right?"}`;
  throw new Failure(said, response.status < 500);
}

function nameOf({ folder, path }: HeldFile): string {
  return `${folder}/${path}`;
}
