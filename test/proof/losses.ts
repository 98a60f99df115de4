import { expect, inject } from "vitest";
import { APPLICATIONS, applied, newJob } from "../features/hiring.ts";
import { must, openCompany } from "../support/company.ts";
import { expectSound } from "../support/oracles.ts";
import { addressOf, type Service, startService } from "../support/service.ts";
import { Load } from "./load.ts";
import { judge, type Promises } from "./promises.ts";

/** How much of it there is: clients at once, and calls or records of each part. */
type Scale = { clients: number; count: number; seed: number };
type Loss = (service: Service, promises: Promises, scale: Scale) => Promise<void>;

const FILE_BYTES = 6 * 1024 * 1024;
const PATIENT = { timeout: 120_000 };

/** What is lost at once and not call by call; each is judged when it is made good. */
export const LOSSES: Record<string, Loss> = {
  "a disk that is full, until it has room again": async (_service, promises, { clients, count, seed }) => {
    const tight = await startService(inject("service").bundle, [], {
      onDisk: true,
      fileSizeLimit: FILE_BYTES,
    });
    try {
      const load = await Load.begin(tight, seed);
      let hasRoom = false;
      let writtenBefore = 0;
      const writing = load.run(clients, async () => hasRoom && load.ended.size >= writtenBefore + count);
      // Sooner than the clients alone would.
      await load.fill();
      await expect.poll(() => load.postponed, PATIENT).toBeGreaterThan(clients);
      writtenBefore = load.ended.size;
      await tight.libsql.kill();
      await tight.libsql.restart();
      hasRoom = true;
      await writing;
      await judge(load, tight, promises);
    } finally {
      await tight.stop();
    }
  },

  "an object storage that lost all files": async (service, promises, { count }) => {
    const company = await openCompany({}, addressOf(service));
    await company.raiseLimit();
    const { slug } = await newJob(company);
    const ids: number[] = [];
    for (let n = 0; n < count; n += 1)
      ids.push((await applied(company, slug, { email: `a${n}@mail.example` })).id);
    expect(await company.loseFiles("resumes")).toBe(Math.min(count, 1_000));
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
  },
};
