import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { openApiDocument } from "#api/openapi/document.ts";
import { openCompany } from "#test/company.ts";
import { clientTypes } from "../../../src/client/types.ts";
import { operations, platformOperations } from "../../../src/wiring/operations.ts";
import { webhooks } from "../../../src/wiring/webhooks.ts";

const ROOT = join(import.meta.dirname, "../../..");
let types = "";

beforeAll(async () => {
  types = await clientTypes(openApiDocument(operations, platformOperations, webhooks));
  await mkdir(join(ROOT, "build/client"), { recursive: true });
  await writeFile(join(ROOT, "build/client/types.d.ts"), types);
});

test("the types of a client are at most 1 MB", () => {
  expect(Buffer.byteLength(types)).toBeLessThanOrEqual(1_000_000);
});

test("five calls type-check without a cast, and a wrong one does not", () => {
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const options = { cwd: ROOT, encoding: "utf8" } as const;
  const { stdout, status } = spawnSync(process.execPath, [compiler, "-p", "test/api/client"], options);
  expect({ stdout, status }).toEqual({ stdout: "", status: 0 });
});

test("and they do what they say", async () => {
  const company = await openCompany();
  // The compiler sees it with the generated types only.
  const { makeFiveCalls } = await import(join(ROOT, "test/api/client/calls.ts"));
  const { client_id: id, client_secret: secret } = company.admin;
  const seen = await makeFiveCalls(`${company.url}/v1`, company.slug, { id, secret: String(secret) });
  const refused = ["invoice_id required", "amount invalid_type", "payment_date required"];
  expect(seen).toEqual(["1062", "INV/26-27/00001", ...refused, "payment_mode_id required"]);
});
