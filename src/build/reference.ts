import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { OpenApiDocument } from "#api/openapi/document.ts";
import { ICON } from "#api/page-parts/icon.ts";
import { type Place, START_STYLE, startList } from "./start-page.ts";

type Opened = { "x-scalar-navigation": Place };
type Store = {
  addDocument: (input: object, options: object) => Promise<boolean>;
  exportWorkspace: () => { documents: Record<string, Opened> };
};

/** What the page calls the document; the addresses inside the page begin with it. */
const NAME = "api";
const DOCUMENT = "/v1/openapi.json";
const TWIN = "/v1/openapi-3.0.json";
const CONTENT = "/docs/document.json";
// The same with the keys and names of the demo companies, by src/sandbox/server/reference.ts.
const FILLED = "/docs/demo.json";
const entry = fileURLToPath(import.meta.resolve("@scalar/api-reference"));
const scalar = join(entry, "../..");

/** Writes the reference page; in a sandbox with the demo company and its key filled in. */
export async function buildReference(
  folder: string,
  document: OpenApiDocument,
  isSandbox: boolean,
): Promise<void> {
  const { version } = JSON.parse(await readFile(join(scalar, "package.json"), "utf8"));
  // The version in its name lets browsers keep it for good.
  const bundle = `scalar-${version}.js`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const shown = await opened(document);
  const list = startList(shown["x-scalar-navigation"]);
  await Promise.all([
    writeFile(join(folder, "index.html"), page(bundle, isSandbox ? FILLED : CONTENT, list)),
    writeFile(join(folder, "reference.js"), script(isSandbox)),
    writeFile(join(folder, "document.json"), JSON.stringify(shown)),
    copyFile(join(scalar, "dist/browser/standalone.js"), join(folder, bundle)),
  ]);
}

/**
 * The document as Scalar has it once it has read it: bundled, checked and with its navigation. Made here, it is not made
 * by each browser that opens the page, which took most of the time.
 */
async function opened(document: OpenApiDocument): Promise<Opened> {
  // The very version that the bundle was made of.
  const path = createRequire(entry).resolve("@scalar/workspace-store/client");
  const { createWorkspaceStore } = await import(pathToFileURL(path).href);
  const store: Store = createWorkspaceStore({ reactive: false });
  const shown = {
    // As it is sent: a file in an example is its name there.
    ...JSON.parse(JSON.stringify(document)),
    externalDocs: { url: DOCUMENT, description: "The document, for tools" },
  };
  await store.addDocument({ name: NAME, document: shown }, { hideModels: true });
  const made = store.exportWorkspace().documents[NAME];
  if (made === undefined) throw new Error("Scalar could not read the document");
  return made;
}

const page = (bundle: string, content: string, list: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Company Operations API</title>
    <link rel="icon" href="${ICON}" />
    <link rel="preload" href="${content}" as="fetch" crossorigin />
    <style>
      :root { color-scheme: light dark }
${START_STYLE}
    </style>
  </head>
  <body>
    <main id="start" tabindex="-1">
      <h1>Company Operations API</h1>
      <p id="loading" role="status">Loading the reference …</p>
      <noscript>The reference needs JavaScript.</noscript>
      <p>Every operation is listed here; a link opens its place in the reference. To begin: <a href="/docs/guides">the guides</a>. For tools: <a href="${DOCUMENT}">the OpenAPI document</a>, also <a href="${TWIN}">in 3.0</a>. Errors: <a href="/errors">all codes</a>.</p>
      ${list}
    </main>
    <div id="reference"></div>
    <script src="/docs/${bundle}" defer></script>
    <script src="/docs/reference.js" defer></script>
  </body>
</html>
`;

// What of the library's layout cuts words short or does nothing: the paths of a tag's operations, and the heading above a key's fields.
const STYLE = [
  ".section:focus-visible { outline: none }",
  ".endpoints .endpoint { white-space: normal }",
  ".endpoints .endpoint-path { overflow: visible; overflow-wrap: anywhere }",
  "div:has(> [id^=headlessui-disclosure-button] > h2) { flex-wrap: wrap }",
  "div > [id^=headlessui-disclosure-button]:has(> h2) { flex-basis: max-content !important }",
  // No client calls a webhook: this service does, at an address of its receiver's.
  "[id*='/webhook/'] .show-api-client-button { display: none }",
].join(" ");

// Nothing of the page may ask another host: no fonts, no telemetry, no assistant, no proxy.
const CONFIGURATION = `{
  url: "${CONTENT}",
  slug: "${NAME}",
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  documentDownloadType: "none",
  hideModels: true,
  authentication: { preferredSecurityScheme: [["clientId", "clientSecret"]] },
  customCss: "${STYLE}",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  onLoaded: showReference,
}`;

// Scalar looks for the place of the address as it begins. A link of the list that was followed since is followed again.
const SHOW = `const first = location.hash;
function showReference() {
  const { hash, pathname, search } = location;
  document.getElementById("start")?.remove();
  if (hash === first) return;
  history.replaceState(null, "", pathname + search);
  location.hash = hash;
}
`;

/**
 * In a sandbox the page has the demo companies and their keys filled in, so that every example can be sent as it stands:
 * each operation with the key that it needs.
 */
function script(isSandbox: boolean): string {
  if (!isSandbox) return `${SHOW}Scalar.createApiReference("#reference", ${CONFIGURATION});\n`;
  return `${SHOW}const configuration = ${CONFIGURATION};
const { url, authentication, ...others } = configuration;
fetch("${FILLED}", { signal: AbortSignal.timeout(10000) })
  .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer)))
  .then(({ content, securitySchemes }) => ({ ...others, content, authentication: { securitySchemes } }))
  .catch(() => configuration)
  .then((all) => Scalar.createApiReference("#reference", all));
`;
}
