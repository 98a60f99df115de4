import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { OpenApiDocument } from "#api/openapi/document.ts";
import { runBundled } from "../run-bundled.ts";
import { guideScript, SCRIPT_PATH } from "./script.ts";

const DOCS = join(import.meta.dirname, "../../../docs");
/** The pages of docs/ that are for who calls the API; the others are for operators and for who changes it. */
const SUBJECTS =
  "conventions invoices credit-notes payments books messages notifications events webhooks widget agents versions".split(
    " ",
  );

/** Writes the guides and what goes with them into the folder that is served. */
export async function buildGuides(
  folder: string,
  document: OpenApiDocument,
  isSandbox: boolean,
): Promise<void> {
  const { renderPages } = await runBundled<typeof import("./pages.tsx")>("guides/pages.tsx");
  const files = await renderPages(await readGuides(), await textsOf(DOCS, SUBJECTS), document);
  for (const part of ["guides", "pages"])
    await rm(join(folder, "docs", part), { recursive: true, force: true });
  files.push({ path: SCRIPT_PATH.slice(1), text: guideScript(isSandbox) });
  for (const { path, text } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** In the order of the index, which names each. */
async function readGuides(): Promise<Record<string, string>> {
  const guides = join(DOCS, "guides");
  const index = await readFile(join(guides, "README.md"), "utf8");
  const named = [...index.matchAll(/\]\(([\w-]+)\.md\)/g)].map(([, name = ""]) => name);
  const unnamed = (await readdir(guides))
    .map((file) => file.replace(/\.md$/, ""))
    .filter((name) => name !== "README" && !named.includes(name));
  if (unnamed.length > 0) throw new Error(`docs/guides/README.md does not name ${unnamed.join(", ")}`);
  return textsOf(guides, ["README", ...named]);
}

async function textsOf(folder: string, names: readonly string[]): Promise<Record<string, string>> {
  const texts = names.map(async (name) => [name, await readFile(join(folder, `${name}.md`), "utf8")]);
  return Object.fromEntries(await Promise.all(texts));
}
