import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { startLossyProxy } from "../support/lossy-proxy.ts";
import { PLATFORM_TOKEN, type Service, startService } from "../support/service.ts";

const run = promisify(execFile);
const CLI = join(import.meta.dirname, "../../src/control/cli/main.ts");

// A service of its own: it migrates all companies there are, and those of other tests meet faults.
let service: Service;
beforeAll(async () => {
  service = await startService(inject("service").bundle);
}, 60_000);
afterAll(() => service.stop());

function companyOps(...words: string[]) {
  const env = {
    ...process.env,
    COMPANY_OPS_URL: service.url,
    PLATFORM_TOKEN,
    DATA_DIR: "nowhere",
    NO_COLOR: "1",
  };
  return run(process.execPath, [CLI, ...words], { env });
}

test("the command line opens a company, makes keys in it, and migrates all databases", async () => {
  const slug = `cli-${crypto.randomUUID().slice(0, 8)}`;
  const opened = await companyOps("company", "create", slug, "--name", "Made by hand", "--state", "KA");
  const { admin_key: admin } = JSON.parse(opened.stdout);
  const { stdout: recovered } = await companyOps("company", "key", slug);
  expect(JSON.parse(recovered)).toMatchObject({ name: "Administrator", client_secret: expect.any(String) });

  const credentials = ["--client-id", admin.client_id, "--client-secret", admin.client_secret];
  const made = await companyOps(
    "key",
    "create",
    "--company",
    slug,
    ...credentials,
    "--name",
    "Shop",
    "--scopes",
    "storefront,products:read",
  );
  expect(JSON.parse(made.stdout)).toMatchObject({ name: "Shop", scopes: ["storefront", "products:read"] });

  const migrated = await companyOps("migrate");
  expect(migrated.stdout).toContain("control: up to date");
  expect(migrated.stdout).toContain("Companies are up to date");
});

test("a company whose answer was lost is asked for again, and is opened once with its key", async () => {
  const slug = `cli-${crypto.randomUUID().slice(0, 8)}`;
  const proxy = await startLossyProxy(service.url);
  let lost = 0;
  proxy.lose((line) => (line.includes("/platform/companies") && lost++ === 0 ? "answer" : undefined));
  const opened = await companyOps("company", "create", slug, "--name", "Made once", "--url", proxy.url);
  expect(lost).toBe(2);
  expect(JSON.parse(opened.stdout).admin_key.client_secret).toMatch(/^sk_/);
  await proxy.stop();
});

test("the command line shows the API's own error and ends with a failure", async () => {
  const attempt = companyOps("company", "create", "No Slug", "--name", "x");
  await expect(attempt).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("validation_failed: slug must be"),
  });
});
