import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { openCompany } from "#test/company.ts";
import { makeFiveCalls } from "./calls.ts";

const ROOT = join(import.meta.dirname, "../..");
const PACKAGE = join(ROOT, "build/client");

function run(command: string, ...words: string[]) {
  return spawnSync(command, words, { cwd: ROOT, encoding: "utf8" });
}

execFileSync(process.execPath, [join(ROOT, "src/build/client.ts")], { cwd: ROOT });

test("the package has the modules, their types and nothing else", () => {
  const { stdout } = run("npm", "pack", "--dry-run", "--json", PACKAGE);
  const [packed] = JSON.parse(stdout);
  const kinds = packed.files.map(({ path }: { path: string }) =>
    path.replace(/^\w+(?=\.(?:d\.ts|js)$)/, "*"),
  );
  expect([...new Set(kinds)].sort()).toEqual(["*.d.ts", "*.js", "LICENSE", "README.md", "package.json"]);
  expect(packed.name).toBe("company-operations-client");
});

test("the types of what the API takes and gives are at most 1.05 MB", async () => {
  expect((await readFile(join(PACKAGE, "types.d.ts"))).length).toBeLessThanOrEqual(1_050_000);
});

test("a browser loads less than 10 KB of it, beside openapi-fetch", async () => {
  const { outputFiles } = await build({
    entryPoints: [join(PACKAGE, "index.js")],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2024",
    external: ["openapi-fetch"],
    write: false,
  });
  const bytes = gzipSync(outputFiles[0]?.contents ?? "").length;
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThan(10_000);
});

test("five calls type-check without a cast, and a wrong one does not", async () => {
  const options = {
    extends: join(ROOT, "tsconfig.json"),
    // What is packed, not its sources; and what an integrator's own project has.
    compilerOptions: {
      paths: { "company-operations-client": [join(PACKAGE, "index.d.ts")] },
      rootDirs: [],
      lib: ["esnext", "dom", "dom.iterable"],
      types: [],
    },
    include: ["."],
    exclude: [],
  };
  const project = join(PACKAGE, "../client-calls");
  await mkdir(project, { recursive: true });
  await writeFile(join(project, "tsconfig.json"), JSON.stringify(options));
  const calls = await readFile(join(import.meta.dirname, "calls.ts"), "utf8");
  await writeFile(join(project, "calls.ts"), calls.replace('"#client"', '"company-operations-client"'));
  const { stdout, status } = run(process.execPath, "node_modules/typescript/bin/tsc", "-p", project);
  expect({ stdout, status }).toEqual({ stdout: "", status: 0 });
});

test("and they do what they say", async () => {
  const company = await openCompany();
  const { client_id: id, client_secret: secret } = company.admin;
  const seen = await makeFiveCalls(`${company.url}/v1`, company.slug, { id, secret: String(secret) });
  const refused = ["invoice_id required", "amount invalid_type", "payment_date required"];
  const number = expect.stringMatching(/^INV\/\d\d-\d\d\/00001$/);
  expect(seen).toEqual(["1062", number, ...refused, "payment_mode_id required"]);
});
