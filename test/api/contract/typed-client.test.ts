import { spawnSync } from "node:child_process";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { openApiDocument } from "#api/openapi/document.ts";
import { openCompany } from "#test/company.ts";
import { clientTypes } from "../../../src/client/types.ts";
import { operations, platformOperations } from "../../../src/wiring/operations.ts";
import { webhooks } from "../../../src/wiring/webhooks.ts";

const ROOT = join(import.meta.dirname, "../../..");
const CALLS = join(ROOT, "test/api/client/calls.ts");
// Where the compiler finds the generated types beside the calls.
const BUILT = join(ROOT, "build/client");
let types = "";

beforeAll(async () => {
  types = await clientTypes(openApiDocument(operations, platformOperations, webhooks));
  await mkdir(BUILT, { recursive: true });
  await writeFile(join(BUILT, "types.d.ts"), types);
  const options = { extends: join(ROOT, "tsconfig.json"), include: ["."], exclude: [] };
  await writeFile(join(BUILT, "tsconfig.json"), JSON.stringify(options));
  await copyFile(CALLS, join(BUILT, "calls.ts"));
});

test("the types of a client are at most 1 MB", () => {
  expect(Buffer.byteLength(types)).toBeLessThanOrEqual(1_000_000);
});

test("five calls type-check without a cast, and a wrong one does not", () => {
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const options = { cwd: ROOT, encoding: "utf8" } as const;
  const { stdout, status } = spawnSync(process.execPath, [compiler, "-p", BUILT], options);
  expect({ stdout, status }).toEqual({ stdout: "", status: 0 });
});

test("and they do what they say", async () => {
  const company = await openCompany();
  const { makeFiveCalls } = await import(CALLS);
  const { client_id: id, client_secret: secret } = company.admin;
  const seen = await makeFiveCalls(`${company.url}/v1`, company.slug, { id, secret: String(secret) });
  const refused = ["invoice_id required", "amount invalid_type", "payment_date required"];
  expect(seen).toEqual(["1062", "INV/26-27/00001", ...refused, "payment_mode_id required"]);
});
