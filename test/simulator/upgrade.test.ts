import { afterAll, expect, inject, test } from "vitest";
import { withConcurrency } from "#core/jobs.ts";
import { frozenBundle, frozenSha256 } from "../soak/upgrade/frozen.ts";
import { EXPANSION, laterBundle, sha256Here } from "../soak/upgrade/later-release.ts";
import { Load } from "../soak/upgrade/load.ts";
import { openCompany, platform, type TestCompany } from "../support/company.ts";
import { companyOps } from "../support/company-ops.ts";
import { useFolder } from "../support/folder.ts";
import { addressOf, PLATFORM_TOKEN, type Service, startService } from "../support/service.ts";
import { check, SCHEMA, sentences } from "../tenancy/companies/self-check.ts";
import { killNowAndThen } from "./faults.ts";

const COMPANIES = Number(process.env.UPGRADE_COMPANIES ?? 12);
const KILLS = Number(process.env.UPGRADE_KILLS ?? 2);
/** Whether the release before goes on beside the later one, and each call goes to the other one of the two. */
const IS_BESIDE = process.env.UPGRADE_BESIDE === "1";
// Of this many, the other half is left to the command.
const USED = Math.ceil(COMPANIES / 2);
const CLIENTS = 12;
const CALLS_EACH = 4;

const path = useFolder();
let service: Service;
afterAll(() => service.stop());

test(`${COMPANIES} companies are upgraded under load while the service is killed ${KILLS} times: no 500, no wrong answer, nothing lost`, {
  timeout: 60_000 + COMPANIES * 5_000 + KILLS * 20_000,
}, async () => {
  const isFrozen = process.env.UPGRADE_FROM === "frozen";
  const before = isFrozen ? await frozenBundle(path("before")) : inject("service").bundle;
  service = await startService(before, [], { onDisk: true });
  const urls = [service.url];
  let calls = 0;
  const at = {
    ...addressOf(service),
    get url() {
      return urls[calls++ % urls.length] as string;
    },
  };
  const companies: TestCompany[] = [];
  await withConcurrency(Array.from({ length: COMPANIES }), 4, async () => {
    companies.push(await openCompany({}, at));
  });
  const load = new Load();
  for (const company of companies) await load.write(company);
  const after = await laterBundle(before, path("after"), EXPANSION, isFrozen ? frozenSha256 : sha256Here);

  const writes = USED * CALLS_EACH;
  const begun = performance.now();
  if (IS_BESIDE) urls.push(await service.beside(after));
  else await service.deploy(after);
  const later = urls.at(-1) as string;
  let done = 0;
  const used = companies.slice(0, USED);
  const writing = withConcurrency(
    Array.from({ length: writes }, (_, call) => used[call % USED] as TestCompany),
    CLIENTS,
    async (company) => {
      await load.write(company);
      done += 1;
    },
  );
  const env = { ...process.env, COMPANY_OPS_URL: later, PLATFORM_TOKEN, DATA_DIR: "nowhere" };
  const migrate = async () => {
    for (;;) {
      const { code } = await companyOps(["migrate", "--at-once", "4"], { env });
      if (code === 0) return performance.now() - begun;
    }
  };
  const [migratedIn] = await Promise.all([
    migrate(),
    writing,
    killNowAndThen(service, { kills: KILLS, every: writes / (KILLS + 1), done: () => done }),
  ]);

  expect(load.wrong).toEqual([]);
  const codes = ["200", "201", "cut", "upgrading", "unavailable", "outcome_unknown"];
  expect(Object.keys(load.answers).filter((answer) => !codes.includes(answer))).toEqual([]);
  const { data } = (await platform("GET", "/platform/rollout", undefined, { ...at, url: later })).body;
  expect(data).toMatchObject({ state: "open", behind: 0, failed: [] });
  await withConcurrency(companies, 4, async (company) => {
    const rows = await company.rows(
      "SELECT name, nickname, customer_id AS mark FROM customers LEFT JOIN customer_marks ON customer_id = id",
    );
    expect(rows.map(({ name }) => name).toSorted()).toEqual(load.written.get(company)?.toSorted());
    expect(rows.filter(({ mark }) => mark === null)).toEqual([]);
    // By the rules of the release itself, of which the later one has all but the schema's.
    const broken = sentences(await check(company, { ...at, url: later }));
    expect(broken.filter((rule) => rule !== SCHEMA)).toEqual([]);
  });
  process.stdout.write(
    `${COMPANIES} companies upgraded${IS_BESIDE ? " beside the release before" : ""} in ${Math.round(migratedIn)} ms with ${KILLS} kills; ${JSON.stringify(load.answers)}; ` +
      `calls took ${load.within(0.5)} ms (p50), ${load.within(0.99)} ms (p99), ${load.within(1)} ms at most\n`,
  );
});
