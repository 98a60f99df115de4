import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { createClient } from "@libsql/client/web";
import { describe, expect, it } from "vitest";
import { exitCode, expectFreePorts, place, readCredentials, refusal, start, usePlace } from "./started.ts";

await usePlace();

describe("npm start", { timeout: 300_000 }, () => {
  it("refuses databases of another schema in the same line", async () => {
    const { child } = await start();
    const { CONTROL_DATABASE_URL: url, CONTROL_DATABASE_TOKEN: authToken } = (await readCredentials()).worker;
    const control = createClient({ url, authToken });
    await control.execute("UPDATE migrations SET sha256 = 'another' WHERE name = '01_core'");
    control.close();
    child.kill("SIGINT");
    await exitCode(child);
    expect(await refusal()).toBe(
      `${place.dataDir} holds data of another version: npm start -- --fresh begins anew\n`,
    );
  });

  it("refuses a folder of before in one line, which says what to do", async () => {
    const old = await mkdtemp(join(place.dataDir, "old-"));
    await writeFile(join(old, "sandbox.json"), JSON.stringify({ database_token: "t" }));
    expect(await refusal({ DATA_DIR: old })).toBe(
      `${old} holds data of another version: npm start -- --fresh begins anew\n`,
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

  it("begins anew with --fresh, and ends when npm gets a signal to end", async () => {
    const before = await readCredentials();
    const { child } = await start("npm", ["start", "--", "--fresh"]);
    expect((await readCredentials()).secret_key).not.toEqual(before.secret_key);
    child.kill("SIGTERM");
    await expectFreePorts();
  });
});
