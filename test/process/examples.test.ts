import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { addDays } from "#shared/time/dates.ts";
import { DataFolder } from "../../src/sandbox/data-folder/data-folder.ts";
import { filledReference, OF_SCHOOLS, type ShownDocument } from "../../src/sandbox/server/reference.ts";
import { document } from "../support/api-document.ts";
import { EXAMPLES_FILE } from "../support/examples.ts";
import { useFolder } from "../support/folder.ts";

const RECEIVER = "http://127.0.0.1:8788/webhooks/warehouse";

const place = useFolder();

test("docs/examples.jsonl has what the demo companies answer now: `npm run examples` records it anew", () => {
  const file = place("examples.jsonl");
  const { TEST_CLOCK, TEST_CLOCK_OFFSET_MS, ...env } = process.env;
  const { status, stderr } = spawnSync("npm", ["run", "--silent", "examples", file], {
    encoding: "utf8",
    env,
  });
  expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
  const [now, recorded] = [file, EXAMPLES_FILE].map((path) => readFileSync(path, "utf8").split("\n"));
  expect(now).toEqual(recorded);
});

test("the reference page of npm start shows them as the demo companies take them on any day: its dates, receiver and keys are theirs", async () => {
  vi.useFakeTimers({ now: Date.parse("2026-12-15T09:30:00Z"), toFake: ["Date"] });
  const folder = new DataFolder(place("data"), false, "http://localhost:8787");
  const key = { client_id: "ck_1", client_secret: "sk_1" };
  const traders = { admin_key: key, customer_id: "1", shop_key: key, site_key: key };
  const driving = { admin_key: key, publishable_key: { client_id: "pk_1", origin: "http://localhost:8788" } };
  folder.remember({ demo: { traders, sellers: {}, driving } });
  mkdirSync(folder.file("assets/docs"), { recursive: true });
  writeFileSync(folder.file("assets/docs/document.json"), JSON.stringify(document));
  const configuration = { port: 8787, sandboxPort: 8788, dataDir: folder.path, fresh: false, verbose: false };
  const filled = (await filledReference(folder, configuration))?.content;
  vi.useRealTimers();
  const [recorded, shown] = [document as unknown as ShownDocument, filled as ShownDocument].map(operationsOf);
  for (const [address, { tags = [], security, parameters, requestBody }] of Object.entries(recorded ?? {})) {
    const own = shown?.[address];
    // From a Saturday to the last one before that Tuesday.
    const dated = (text: string) =>
      text.replace(/(?<=")2026-\d\d-\d\d(?=["T])/g, (date) => addDays(date, 21));
    const body = dated(JSON.stringify(requestBody ?? null));
    expect(JSON.stringify(own?.requestBody ?? null)).toBe(
      body.replaceAll(/"url":"https:[^"]+"/g, `"url":"${RECEIVER}"`),
    );
    const isOfSchool = tags.some((tag) => OF_SCHOOLS.test(tag));
    const ofSchool = (text: string) =>
      text.replaceAll('/company"', '/school"').replaceAll(/"client(?=Id|Secret)/g, '"school');
    const signs = JSON.stringify({ parameters, security });
    const signsHere = JSON.stringify({ parameters: own?.parameters, security: own?.security });
    expect(signsHere, address).toBe(isOfSchool ? ofSchool(signs) : signs);
  }
});

/** The operations of a document, by their addresses. */
function operationsOf({ paths }: ShownDocument): Record<string, ShownDocument["paths"][string][string]> {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  );
  return Object.fromEntries(all);
}
