import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { openCompany } from "../../support/company.ts";
import { expectSound } from "../../support/oracles.ts";

const WRITERS = Number(process.env.WRITERS ?? 100);
/** Other work on the machine, which makes each commit take longer. */
const BUSY_PROCESSES = Number(process.env.BUSY_PROCESSES ?? 0);

test(`${WRITERS} calls write at once: none is in doubt, and the database takes the next at once`, {
  timeout: 120_000,
}, async () => {
  const company = await openCompany();
  await company.raiseLimit();
  const note = "Delivered to the gate. ".repeat(20);
  const write = (index: number) =>
    company.call("POST", "/customers/:company", {
      body: { name: `Buyer ${index}`, state: "Karnataka", pincode: "560001", notes: note },
    });
  const busy = Array.from({ length: BUSY_PROCESSES }, () => spawn(process.execPath, ["-e", "for(;;);"]));
  const answers = await Promise.all(Array.from({ length: WRITERS }, (_, index) => write(index))).finally(
    () => {
      for (const one of busy) one.kill("SIGKILL");
    },
  );
  const done = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status !== 201);
  // A caller that waited too long got the answer that nothing was done.
  expect(new Set(refused.map(({ body }) => body.code))).toEqual(
    new Set(refused.length > 0 ? ["unavailable"] : []),
  );
  expect(done.length).toBeGreaterThan(0);

  expect((await write(WRITERS)).status).toBe(201);
  expect(await company.rows("SELECT count(*) AS n FROM customers")).toEqual([{ n: done.length + 1 }]);
  await expectSound(company);
});
