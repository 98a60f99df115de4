import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { unstable_readConfig } from "wrangler";
import { useFolder } from "#test/folder.ts";
import { buildWorker } from "#test/worker.ts";
import { modulesOf } from "../../src/build/bundle-modules.ts";

const bundle = await buildWorker(useFolder()("worker"));

/** A module with all that it imports, and they in turn; not what it loads later. */
async function imported(file: string, known = new Set<string>()): Promise<Set<string>> {
  if (known.has(file)) return known;
  known.add(file);
  const text = await readFile(join(bundle, file), "utf8");
  for (const [, other = ""] of text.matchAll(/(?:\bfrom|\bimport)"\.\/([\w.-]+)"/g))
    await imported(other, known);
  return known;
}

it("the cold bundle is at most 130 KB gzipped", async () => {
  const loaded = Array.from(await imported("worker.js"), (file) => readFile(join(bundle, file)));
  expect(gzipSync(Buffer.concat(await Promise.all(loaded)), { level: 9 }).length).toBeLessThanOrEqual(
    130_000,
  );
});

it("a deployment uploads a source map of each module, which names files of src and holds none", async () => {
  expect(unstable_readConfig({ config: "wrangler.toml" }).upload_source_maps).toBe(true);
  for (const module of await modulesOf(bundle)) {
    expect(await readFile(join(bundle, module), "utf8")).toMatch(
      new RegExp(`^//# sourceMappingURL=${module}\\.map\\n$`, "m"),
    );
    const map = JSON.parse(await readFile(join(bundle, `${module}.map`), "utf8"));
    expect(map).toMatchObject({ version: 3, mappings: expect.any(String) });
    expect(map).not.toHaveProperty("sourcesContent");
    if (module === "worker.js") expect(map.sources.join("\n")).toMatch(/(?:^|\/)src\/worker\.ts$/m);
  }
});

it("the list of public suffixes is in a chunk of its own, which nothing loads before it is asked for", async () => {
  const files = (await readdir(bundle)).filter((file) => file.endsWith(".js"));
  const texts = await Promise.all(
    files.map(async (file) => ({ file, text: await readFile(join(bundle, file), "utf8") })),
  );
  const holding = texts.filter(({ text }) => text.includes("allowPrivateDomains") && text.includes("vercel"));
  expect(holding).toHaveLength(1);
  const [{ file } = { file: "" }] = holding;
  const naming = texts.filter(({ text }) => text.includes(`./${file}`));
  expect(naming.length).toBeGreaterThan(0);
  for (const { text } of naming) expect(text).not.toMatch(new RegExp(`(?:from|import)\\s*"\\./${file}"`));
});
