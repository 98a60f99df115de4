import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import "./sql-as-text.ts";
import { openApiDocument } from "#api/openapi/document.ts";
import { ICON } from "#api/page-parts/icon.ts";
import { buildWidget } from "./widget.ts";

// Writes what is served beside the Worker: the API document, the reference page and the booking widget. An argument
// names the folder; `--sandbox` after it fills the reference page in with the demo company.
const isSandbox = process.argv[3] === "--sandbox";
const folder = process.argv[2] ?? join(import.meta.dirname, "../../build/assets");

const { operations, platformOperations } = await import("../wiring/operations.ts");
const { webhooks } = await import("../wiring/webhooks.ts");

const scalar = join(fileURLToPath(import.meta.resolve("@scalar/api-reference")), "../..");
const { version } = JSON.parse(await readFile(join(scalar, "package.json"), "utf8"));
// The version in its name lets browsers keep it for good.
const bundle = `scalar-${version}.js`;

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Company Operations API</title>
    <link rel="icon" href="${ICON}" />
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page needs JavaScript. The document it shows is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript>
    <script src="/docs/${bundle}"></script>
    <script src="/docs/reference.js"></script>
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
const configuration = `{
  url: "/v1/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  documentDownloadType: "json",
  hideModels: true,
  authentication: { preferredSecurityScheme: [["clientId", "clientSecret"]] },
  customCss: "${STYLE}",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
}`;
// In a sandbox the page has the demo company and its key filled in, so that every example can be sent as it stands.
const script = isSandbox
  ? `const configuration = ${configuration};
const read = (path) => fetch(path, { signal: AbortSignal.timeout(10000) }).then((answer) => answer.json());
Promise.all([read("/docs/demo.json"), read(configuration.url)]).then(([demo, content]) => {
  const { company } = content.components.parameters;
  company.example = demo.company;
  company.schema = { ...company.schema, default: demo.company };
  const securitySchemes = {
    clientId: { value: demo.client_id },
    clientSecret: { value: demo.client_secret },
    platformToken: { token: demo.platform_token },
  };
  const { url, ...others } = configuration;
  const authentication = { ...configuration.authentication, securitySchemes };
  return { ...others, content, authentication };
}).catch(() => configuration).then((all) => Scalar.createApiReference("#reference", all));
`
  : `Scalar.createApiReference("#reference", ${configuration});
`;

await rm(join(folder, "docs"), { recursive: true, force: true });
await mkdir(join(folder, "docs"), { recursive: true });
await Promise.all([
  writeFile(
    join(folder, "openapi.json"),
    JSON.stringify(openApiDocument(operations, platformOperations, webhooks)),
  ),
  writeFile(join(folder, "docs/index.html"), page),
  writeFile(join(folder, "docs/reference.js"), script),
  buildWidget(join(folder, "widget/v1")),
  copyFile(join(scalar, "dist/browser/standalone.js"), join(folder, "docs", bundle)),
]);
