import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fastFolder } from "../support/libsql/index.ts";
import { buildWorker } from "../support/worker.ts";

test("the list of public suffixes is in a chunk of its own, which nothing loads before it is asked for", async () => {
  const folder = await buildWorker(join(await fastFolder(), `suffixes-${process.pid}`));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const files = (await readdir(folder)).filter((file) => file.endsWith(".js"));
  const texts = await Promise.all(
    files.map(async (file) => ({ file, text: await readFile(join(folder, file), "utf8") })),
  );
  const holding = texts.filter(({ text }) => text.includes("allowPrivateDomains") && text.includes("vercel"));
  expect(holding).toHaveLength(1);
  const [{ file } = { file: "" }] = holding;
  const naming = texts.filter(({ text }) => text.includes(`./${file}`));
  expect(naming.length).toBeGreaterThan(0);
  for (const { text } of naming) expect(text).not.toMatch(new RegExp(`(?:from|import)\\s*"\\./${file}"`));
});
