import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { useFolder } from "../support/folder.ts";

const run = promisify(execFile);
const NOT_COPIED = ["node_modules", ".data", "build", ".wrangler"];
const ALTERATIONS = "migrations/company/alterations";
// A block may be the first thing of a numbered step.
const BLOCK = /^((?:\d+\. | *))```(\w+)(.*)\n([\s\S]*?)\n *```$/gm;
// It verifies a whole tree.
const PATIENT = { timeout: 1_800_000 };
const folder = useFolder()();

type Block = { language: string; files: string[]; text: string };

cpSync(".", folder, { recursive: true, filter: (path) => !NOT_COPIED.includes(path) });
symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));

test("the recipes of CONTRIBUTING.md compile, keep the rules and serve what they add", PATIENT, async () => {
  const blocks = blocksOf(await readFile("CONTRIBUTING.md", "utf8"));
  const copies = blocks.filter(({ text }) => text.startsWith("cp "));
  const changes = blocks.filter(({ language }) => language !== "sh");
  await mkdir(join(folder, ALTERATIONS), { recursive: true });
  for (const { text } of copies) await inCopy("sh", "-ec", text);
  for (const block of changes) await apply(block);
  await inCopy("npm", "run", "shapes:freeze");
  await inCopy("npm", "run", "examples");
  await writeFile(join(folder, "test/features/products/recipes.test.ts"), SERVED);
  // What is added raises the budget of its room.
  await rm(join(folder, "test/lint/budgets.test.ts"));
  await inCopy("npm", "run", "format");
  await inCopy("npm", "run", "verify");
  const tested = ["test/api/contract", "test/features/products", "test/tenancy/alterations.test.ts"];
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts"];
  const named = "recipes|retireBrand|every refusal|same schema";
  await inCopy(process.execPath, ...vitest, "--project", "service", ...tested, "-t", named);
  await inCopy(process.execPath, ...vitest, "--project", "service", "test/features/events/shapes.test.ts");
  expect(changes.length).toBeGreaterThan(14);
});

/** A test that calls what the recipes add. */
const SERVED = `import { expect, test } from "vitest";
import { must, openCompany } from "../../support/company.ts";

test("recipes: a customer has a nickname, and a brand is made, retired and unique", async () => {
  const company = await openCompany();
  const customer = { name: "Meera", state: "Karnataka", pincode: "560001", nickname: "Mee" };
  const made = must(await company.call("POST", "/customers/:company", { body: customer }), 201).body.data;
  expect(made).toMatchObject({ nickname: "Mee" });
  const brands = "/settings/:company/brands";
  const brand = must(await company.call("POST", brands, { body: { name: "Chakra" } }), 201).body.data;
  must(await company.call("POST", \`\${brands}/\${brand.id}/retire\`), 200);
  expect(must(await company.call("GET", brands), 200).body.data).toMatchObject([{ is_active: false }]);
  expect((await company.call("POST", brands, { body: { name: "CHAKRA" } })).body.code).toBe("duplicate_name");
});
`;

/** The code blocks of the recipes, with the next number of an alteration in the place of `NNNN`. */
function blocksOf(page: string): Block[] {
  const recipes = page.slice(page.indexOf("## Add a column"), page.indexOf("## Write a test of a fault"));
  const numbers = existsSync(ALTERATIONS)
    ? readdirSync(ALTERATIONS).map((name) => Number.parseInt(name, 10))
    : [];
  const next = String(Math.max(0, ...numbers) + 1).padStart(4, "0");
  return Array.from(recipes.replaceAll("NNNN", next).matchAll(BLOCK), ([, indent = "", ...parts]) => {
    const [language = "", files = "", body = ""] = parts;
    const text = body.replaceAll(new RegExp(`^ {${indent.length}}`, "gm"), "");
    return { language, files: files.replace("(new)", "").split(" ").filter(Boolean), text };
  });
}

/** Changes a file as a block of differences says, or puts a block at the end of its files. */
async function apply({ language, files, text }: Block): Promise<void> {
  if (language !== "diff") {
    for (const file of files) await append(join(folder, file), `${withSum(file, text)}\n`);
    return;
  }
  const [head = "", ...lines] = text.split("\n");
  const path = join(folder, head.replace(/^\+\+\+ | \(new\)$/g, ""));
  const side = (left: string) =>
    lines
      .filter((line) => !line.startsWith(left))
      .map((line) => line.slice(1))
      .join("\n");
  const [before, after] = [side("+"), side("-")];
  const pieces = (await readFile(path, "utf8")).split(before);
  expect(pieces, `${head} has exactly once:\n${before}`).toHaveLength(2);
  await writeFile(path, pieces.join(after));
}

async function append(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { flag: "a" });
}

/** The text of an alteration with the SHA-256 of the copy beside it. */
function withSum(file: string, text: string): string {
  if (!text.includes("SHA256")) return text;
  return text.replace(
    "SHA256",
    hash("sha256", readFileSync(join(folder, file.replace(".sql", ".before.sql")))),
  );
}

async function inCopy(command: string, ...words: string[]): Promise<void> {
  await run(command, words, { cwd: folder, maxBuffer: 1e8 }).catch(({ stdout, stderr }) => {
    throw new Error(`${command} ${words.join(" ")}\n${String(stdout + stderr).slice(-4_000)}`);
  });
}
