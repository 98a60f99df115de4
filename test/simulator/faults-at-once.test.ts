import { afterAll, afterEach, describe, expect, inject, test } from "vitest";
import { APPLICATIONS, applied, newJob } from "../features/hiring.ts";
import { must, openBusy } from "../support/company.ts";
import { companyOps } from "../support/company-ops.ts";
import { useFolder } from "../support/folder.ts";
import { operatorOf } from "../support/operator.ts";
import { expectSound } from "../support/oracles.ts";
import { addressOf, createNamespace, type Service, startService } from "../support/service.ts";
import { SEED } from "./draw.ts";
import { judge, Promises } from "./judge.ts";
import { TRADE, Trade } from "./trade.ts";

// What is lost at once and not call by call, each for a minute or more.
const COUNT = Number(process.env.PROOF_FAULTS ?? 10);
const CLIENTS = 16;
const FILE_BYTES = 6 * 1024 * 1024;
const PUT_BACK = "control-2";
/** The answer to a key whose company the control database does not know. */
const NOT_KNOWN = "invalid_credentials";
const PATIENT = { timeout: 300_000 + COUNT * 1_000 };

const cwd = useFolder()();
const promises = new Promises();
let own: Service | undefined;
afterEach(async () => {
  await own?.stop();
  own = undefined;
});
afterAll(() => {
  process.stdout.write(`\nSeed ${SEED}\n${promises.table()}\n`);
});

async function startOwn(options: { fileSizeLimit?: number } = {}): Promise<Service> {
  own = await startService(inject("service").bundle, [], { onDisk: true, ...options });
  return own;
}

describe(`with seed ${SEED}`, PATIENT, () => {
  test("a disk that is full, until it has room again breaks no promise", async () => {
    const service = await startOwn({ fileSizeLimit: FILE_BYTES });
    const trade = await Trade.begin(service, SEED);
    let wanted = Number.POSITIVE_INFINITY;
    const writing = trade.inLanes(TRADE, CLIENTS, () => trade.ended.length >= wanted);
    // Sooner than the clients alone would.
    await trade.fill();
    await expect.poll(() => trade.postponed, PATIENT).toBeGreaterThan(CLIENTS);
    await service.libsql.kill();
    await service.libsql.restart();
    wanted = trade.ended.length + COUNT;
    await writing;
    await judge(trade, service, promises);
  });

  test("a control database that is lost, put back from an older backup, and rebuilt breaks no promise", async () => {
    const service = await startOwn();
    const operate = async (control: string, ...words: string[]) =>
      expect(await companyOps(words, { env: operatorOf(addressOf(service), control), cwd })).toMatchObject({
        code: 0,
      });
    await operate("control", "backup", "--control", "control.backup");
    const trade = await Trade.begin(service, SEED);
    trade.again.add(NOT_KNOWN);
    let wanted = Number.POSITIVE_INFINITY;
    const writing = trade.inLanes(TRADE, CLIENTS, () => trade.ended.length >= wanted);
    await expect.poll(() => trade.ended.length, PATIENT).toBeGreaterThan(COUNT);
    await createNamespace(service.libsql, PUT_BACK);
    await operate(PUT_BACK, "restore", "control.backup", "--control");
    await service.restart({ CONTROL_DATABASE_URL: `${service.libsql.url}/dev/${PUT_BACK}/` });
    await operate(PUT_BACK, "adopt", "--from", service.libsql.folder);
    wanted = trade.ended.length + COUNT;
    await writing;
    await judge(trade, service, promises);
  });

  test("an object storage that lost all files breaks no promise", async () => {
    const company = await openBusy();
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
