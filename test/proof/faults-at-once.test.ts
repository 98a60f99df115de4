import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, inject, test } from "vitest";
import { APPLICATIONS, applied, newJob } from "../features/hiring.ts";
import { must, openCompany } from "../support/company.ts";
import { companyOps } from "../support/company-ops.ts";
import { operatorOf } from "../support/operator.ts";
import { expectSound } from "../support/oracles.ts";
import { createNamespace, startService } from "../support/service.ts";
import { Load } from "./load.ts";
import { judge, Promises } from "./promises.ts";

// What is lost at once and not call by call, each for a minute or more: for `npm run soak` and by hand.
const COUNT = Number(process.env.PROOF_FAULTS ?? 10);
const SEED = Number(process.env.PROOF_SEED ?? Date.now() % 2 ** 31);
const CLIENTS = 16;
const FILE_BYTES = 6 * 1024 * 1024;
const PUT_BACK = "control-2";
/** The answer to a key whose company the control database does not know. */
const NOT_KNOWN = "invalid_credentials";
const PATIENT = { timeout: 300_000 + COUNT * 1_000 };

const promises = new Promises();
afterAll(() => {
  process.stdout.write(`\nSeed ${SEED}\n${promises.table()}\n`);
});

describe(`with seed ${SEED}`, () => {
  test("a disk that is full, until it has room again breaks no promise", PATIENT, async () => {
    const tight = await startService(inject("service").bundle, [], {
      onDisk: true,
      fileSizeLimit: FILE_BYTES,
    });
    try {
      const load = await Load.begin(tight, SEED);
      let hasCapacity = false;
      let writtenBefore = 0;
      const writing = load.run(CLIENTS, async () => hasCapacity && load.ended.size >= writtenBefore + COUNT);
      // Sooner than the clients alone would.
      await load.fill();
      await expect.poll(() => load.postponed, PATIENT).toBeGreaterThan(CLIENTS);
      writtenBefore = load.ended.size;
      await tight.libsql.kill();
      await tight.libsql.restart();
      hasCapacity = true;
      await writing;
      await judge(load, tight, promises);
    } finally {
      await tight.stop();
    }
    promises.expectKept();
  });

  test(
    "a control database that is lost, put back from an older backup, and rebuilt breaks no promise",
    PATIENT,
    async () => {
      const own = await startService(inject("service").bundle, [], { onDisk: true });
      const folder = await mkdtemp(join(tmpdir(), "proof-control-"));
      try {
        const operate = async (control: string, ...words: string[]) =>
          expect(await companyOps(words, { env: operatorOf(own, control), cwd: folder })).toMatchObject({
            code: 0,
          });
        await operate("control", "backup", "--control", "control.backup");
        const load = await Load.begin(own, SEED);
        load.again.add(NOT_KNOWN);
        let wanted = Number.POSITIVE_INFINITY;
        const writing = load.run(CLIENTS, async () => load.ended.size >= wanted);
        await expect.poll(() => load.ended.size, PATIENT).toBeGreaterThan(COUNT);
        await createNamespace(own.libsql, PUT_BACK);
        await operate(PUT_BACK, "restore", "control.backup", "--control");
        await own.restart({ CONTROL_DATABASE_URL: `${own.libsql.url}/dev/${PUT_BACK}/` });
        await operate(PUT_BACK, "adopt", "--from", own.libsql.folder);
        wanted = load.ended.size + COUNT;
        await writing;
        await judge(load, own, promises);
      } finally {
        await own.stop();
        await rm(folder, { recursive: true, force: true });
      }
      promises.expectKept();
    },
  );

  test("an object storage that lost all files breaks no promise", PATIENT, async () => {
    const company = await openCompany();
    await company.raiseLimit();
    const { slug } = await newJob(company);
    const ids: number[] = [];
    for (let n = 0; n < COUNT; n += 1)
      ids.push((await applied(company, slug, { email: `a${n}@mail.example` })).id);
    expect(await company.loseFiles("resumes")).toBe(Math.min(COUNT, 1_000));
    const broken: string[] = [];
    for (const id of ids) {
      const resume = await company.call("GET", `${APPLICATIONS}/${id}/resume`);
      if (resume.status !== 404 || resume.body.code !== "not_found") broken.push(`${id}: ${resume.status}`);
      const moved = await company.call("PATCH", `${APPLICATIONS}/${id}`, { body: { status: "rejected" } });
      if (moved.status !== 200) broken.push(`${id}: ${moved.status}`);
    }
    promises.enter("a record without its file says 404 for the file, and goes on", ids.length, broken);
    const next = await applied(company, slug, { email: "next@mail.example" });
    must(await company.call("GET", `${APPLICATIONS}/${next.id}/resume`), 200);
    await expectSound(company);
    promises.expectKept();
  });
});
