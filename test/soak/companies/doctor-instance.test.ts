import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { clientOf, openCompany, runCron } from "../../support/company.ts";
import { doctor, restart, service, useOwnService, wrong } from "./doctor.ts";

useOwnService();

test("a wrong master key, with which every call is 503 no_key_opens, is reported with what it closes", async () => {
  const company = await openCompany({}, service);
  const ran = await doctor({}, "--all");
  expect(wrong(ran)).toEqual([]);
  expect(ran.lines).toContain("ok  companies: 1 of 1 company open as for their calls");
  expect(ran.lines).toContainEqual(
    expect.stringMatching(/^ok {2}encrypted values: [1-9]\d* of \d columns? open$/),
  );
  await restart({ MASTER_KEY: Buffer.alloc(32, 9).toString("base64") });
  expect(await company.call("GET", "/customers/:company")).toMatchObject({
    status: 503,
    body: { code: "no_key_opens" },
  });
  const sick = await doctor();
  expect(sick.code).toBe(1);
  expect(wrong(sick)).toEqual([
    expect.stringMatching(
      /^no {2}instance: no master key of the service opens the tokens of its oldest companies : /,
    ),
    expect.stringMatching(
      /^no {2}companies: 1 of 1 that were tried do not open: test-\w+ \(no_key_opens\) : give the service the key/,
    ),
    expect.stringMatching(
      /^no {2}encrypted values: 1 of companies\.database_token need the key [0-9a-f]{12} \(test-\w+\) : /,
    ),
  ]);
  await restart({});
  expect(wrong(await doctor())).toEqual([]);
});

test("a cron that has not run, of which the check waits for the next, is reported", async () => {
  const control = clientOf("control", service);
  await control.execute("UPDATE heartbeats SET at = at - 3600000 WHERE name = 'cron'");
  const late = doctor();
  await sleep(3_000);
  await runCron(service);
  expect(wrong(await late)).toEqual([]);
  await control.execute("DELETE FROM heartbeats WHERE name = 'cron'");
  const ran = await doctor();
  expect(wrong(ran)).toEqual([
    expect.stringMatching(
      /^no {2}cron: it never ran; the check may take 90 s : on Cloudflare: `\[triggers\]`/,
    ),
  ]);
  await runCron(service);
});
