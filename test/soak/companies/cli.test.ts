import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { companyOps as run } from "../../support/company-ops.ts";
import { useFolder } from "../../support/folder.ts";
import { startLossyProxy } from "../../support/lossy-proxy.ts";
import { operatorOf } from "../../support/operator.ts";
import { ownService } from "../../support/own-service.ts";
import { refusalOf } from "../../support/refusal.ts";

const path = useFolder();

// A service of its own: it migrates all companies there are, and those of other tests meet faults.
const service = await ownService();

/** Runs commands with these variables, each to its good end. */
const by =
  (env: NodeJS.ProcessEnv) =>
  async (...words: string[]) => {
    const ran = await run(words, { env });
    expect(ran).toMatchObject({ code: 0 });
    return ran;
  };
const companyOps = by(operatorOf(service.address));

test("the command line opens a company, makes keys in it, and migrates all databases", async () => {
  const slug = `cli-${crypto.randomUUID().slice(0, 8)}`;
  const opened = await companyOps("company", "create", slug, "--name", "Made by hand", "--state", "KA");
  const { admin_key: admin } = JSON.parse(opened.stdout);
  const { stdout: recovered } = await companyOps("company", "key", slug);
  expect(JSON.parse(recovered)).toMatchObject({ name: "Administrator", client_secret: expect.any(String) });

  const credentials = ["--client-id", admin.client_id, "--client-secret", admin.client_secret];
  const shop = ["--name", "Shop", "--scopes", "storefront,products:read"];
  const made = await companyOps("key", "create", "--company", slug, ...credentials, ...shop);
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
  proxy.stop();
});

test("the command line shows the API's own error and ends with a failure", async () => {
  const words = ["company", "create", "No Slug", "--name", "x"];
  expect(await run(words, { env: operatorOf(service.address) })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^validation_failed: slug must be.*; see company-ops company create --help\n$/,
    ),
  });
});

test.each<[string[], Record<string, string>, string]>([
  [
    ["company", "list"],
    { COMPANY_OPS_URL: "http://127.0.0.1:9" },
    "http://127.0.0.1:9 does not answer: is it",
  ],
  [["company", "list"], { COMPANY_OPS_URL: "not an address" }, "--url not an address is no address"],
  [["company", "list"], { PLATFORM_TOKEN: "wrong" }, "check the key's id and secret, or the platform token"],
  [["key", "list"], {}, "--company is missing: give it"],
  [
    ["key", "list", "--company", "x-y-z"],
    {},
    "--client-id is missing: give it, set COMPANY_OPS_CLIENT_ID, or run npm start here",
  ],
])("%j fails with one line that says what to do", async (words, env, line) => {
  const told = await refusalOf(words, { ...operatorOf(service.address), ...env });
  expect(told).toContain(line);
  expect(told).not.toMatch(/\bat .*\.ts:\d/);
});

test("companies and keys are listed, a key is rotated and revoked, by the credentials that the sandbox left", async () => {
  const slug = `cli-${crypto.randomUUID().slice(0, 8)}`;
  const opened = await companyOps("company", "create", slug, "--name", "Listed", "--state", "KA");
  const { client_id, client_secret } = JSON.parse(opened.stdout).admin_key;
  expect((await companyOps("company", "list")).stdout).toMatch(new RegExp(`^${slug} +active +Listed$`, "m"));

  const left = { base_url: `${service.url}/v1`, company: slug, secret_key: { client_id, client_secret } };
  await writeFile(path("credentials.json"), JSON.stringify(left));
  const { COMPANY_OPS_URL: _, ...rest } = process.env;
  const byDemo = by({ ...rest, DATA_DIR: path(), NO_COLOR: "1" });

  const made = await byDemo("key", "create", "--name", "Shop", "--scopes", "storefront");
  expect(made.stderr).toBe(`(by ${path("credentials.json")}, of the sandbox)\n`);
  const key = JSON.parse(made.stdout);
  expect((await byDemo("key", "list")).stdout).toContain(`${key.client_id}  secret       used never  Shop\n`);
  const rotated = JSON.parse((await byDemo("key", "rotate", key.client_id)).stdout);
  expect(rotated.client_secret).not.toBe(key.client_secret);
  expect(JSON.parse((await byDemo("key", "revoke", key.client_id)).stdout)).toMatchObject({ revoked: true });
  expect((await byDemo("key", "list")).stdout).not.toContain(key.client_id);
});

test("a company is shown, suspended, resumed and closed", async () => {
  const slug = `cli-${crypto.randomUUID().slice(0, 8)}`;
  const opened = await companyOps("company", "create", slug, "--name", "To be closed", "--json");
  const { client_id, client_secret } = JSON.parse(opened.stdout).admin_key;
  expect((await companyOps("company", "show", slug)).stdout).toMatch(/^name +To be closed$/m);
  const shown = async () => JSON.parse((await companyOps("company", "show", slug, "--json")).stdout).status;
  expect((await companyOps("company", "suspend", slug)).stdout).toBe(`${slug} is suspended\n`);
  expect(await shown()).toBe("suspended");
  expect((await companyOps("company", "resume", slug)).stdout).toBe(`${slug} works again\n`);
  expect(await shown()).toBe("active");
  const closed = await companyOps("company", "close", slug, "--json");
  expect(JSON.parse(closed.stdout)).toMatchObject({ slug, status: "closed" });
  const headers = { "X-Client-Id": client_id, "X-Client-Secret": client_secret };
  expect((await fetch(`${service.url}/v1/customers/${slug}`, { headers })).status).toBe(401);
});
