import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectFreePorts, place, refusal, usePlace } from "./started.ts";

usePlace();

describe("npm start", { timeout: 120_000 }, () => {
  it("says so when its folder is of a release whose databases were of another kind", async () => {
    const old = await mkdtemp(join(place.dataDir, "old-"));
    await writeFile(join(old, "sandbox.json"), JSON.stringify({ database_token: "t" }));
    expect(await refusal({ DATA_DIR: old })).toBe(
      `${old} holds data of an earlier release, in databases of another kind: npm start -- --fresh begins anew\n`,
    );
  });

  it("names the port that is taken and its variable, and leaves nothing running", async () => {
    const taken = createServer().listen(place.sandboxPort, "127.0.0.1");
    const told = await refusal();
    taken.close();
    expect(told).toBe(`Port ${place.sandboxPort} is taken: set SANDBOX_PORT to another\n`);
    await expectFreePorts();
  });

  it("touches no folder that is not its own, not even with --fresh", async () => {
    const foreign = await mkdtemp(join(place.dataDir, "foreign-"));
    await writeFile(join(foreign, "letter.txt"), "dear");
    expect(await refusal({ DATA_DIR: foreign }, ["--fresh"])).toContain("holds other files");
    expect(await readFile(join(foreign, "letter.txt"), "utf8")).toBe("dear");
  });
});
