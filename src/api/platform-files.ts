import type { Hono } from "hono";
import { Folder } from "#core/files/folder.ts";
import { isFilePath } from "#core/files/kept-files.ts";
import { MEDIA_TYPES } from "#shared/files/file-kinds.ts";
import { MOST_FILE_BYTES } from "#shared/files/upload.ts";
import { fieldProblem, Problem } from "#shared/problem.ts";
import { isCompanySlug } from "#shared/text/slug.ts";
import { findCompany } from "#tenancy/directory.ts";
import { noteFileAccess } from "#tenancy/file-access.ts";
import { authenticatePlatform } from "./access/platform-token.ts";
import { announcedLength } from "./bodies/read-body.ts";
import { directoryOf } from "./environment.ts";
import { fileReply, jsonReply } from "./replies/replies.ts";
import type { App, RequestContext } from "./request-state.ts";

const PATH = "/platform/companies/:slug/files/:folder/:id/:name";
const SHA256 = /^[0-9a-f]{64}$/;
const TYPES: readonly string[] = Object.values(MEDIA_TYPES);

/**
 * Mounts what backups and restores move a company's files by, for the operator. A file goes through as a stream, which
 * no operation's literal says; `folders` are those that there are.
 */
export function mountPlatformFiles(app: Hono<App>, folders: readonly string[]): void {
  app.get(PATH, (c) => give(c, folders));
  app.put(PATH, (c) => take(c, folders));
}

async function give(c: RequestContext, folders: readonly string[]): Promise<Response> {
  const { folder, path, name } = await placeOf(c, folders, "readFiles");
  return fileReply(c, await folder.get({ path, name, type: "application/octet-stream" }));
}

/** Stores a file that is not there; one that is stays as it is. */
async function take(c: RequestContext, folders: readonly string[]): Promise<Response> {
  const { folder, path } = await placeOf(c, folders, "restoreFiles");
  const [type, sha256] = [c.req.header("Content-Type") ?? "", c.req.header("X-Content-SHA256") ?? ""];
  if (!TYPES.includes(type)) throw fieldProblem("Content-Type", "invalid", "must be the type of a kept file");
  if (!SHA256.test(sha256))
    throw fieldProblem("X-Content-SHA256", "invalid", "must be 64 hexadecimal digits");
  const body = c.req.raw.body;
  if (announcedLength(c.req.raw, MOST_FILE_BYTES) === 0 || body === null)
    throw fieldProblem("Content-Length", "invalid", "must be the length of the file");
  const kept = (await folder.sizeOf(path)) !== null;
  if (!kept && !(await folder.restore({ path, type }, body, sha256)))
    throw fieldProblem("X-Content-SHA256", "mismatch", "must be that of the file");
  return jsonReply(c, 200, { data: { stored: !kept } });
}

/** The place of a file below the company's own prefix. Throws 404 for any other. */
async function placeOf(
  c: RequestContext,
  folders: readonly string[],
  action: "readFiles" | "restoreFiles",
): Promise<{ folder: Folder; path: string; name: string }> {
  await authenticatePlatform(c);
  const { slug = "", folder = "", id = "", name = "" } = c.req.param() as Record<string, string>;
  const { startedAt: now, requestId } = c.get("state");
  const directory = directoryOf(c.env);
  const company = isCompanySlug(slug) ? await findCompany(directory, slug, now) : null;
  if (company === null) throw new Problem("company_not_found");
  const path = `${id}/${name}`;
  if (!folders.includes(folder) || !isFilePath(path)) throw new Problem("not_found");
  await noteFileAccess(directory, { action, company: slug, requestId, now });
  return { folder: new Folder(c.env.FILES, folder, company.id), path, name };
}
