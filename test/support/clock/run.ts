// npm run clock: the unit and service tests at eight instants, and all of `npm test` at the first two. `-- one` runs
// the unit and service tests at one of them, another each hour. What else follows `--` goes to vitest.
import { spawnSync } from "node:child_process";
import { HOUR_MS } from "../../../src/shared/time/durations.ts";

// Where the date of UTC, of a company and of a visitor differ, or a clock jumps.
const INSTANTS = {
  "a day ends in UTC": "2030-01-15T23:59:30Z",
  "a financial year ends in India": "2030-03-31T18:29:30Z",
  "a financial year ends in Sydney": "2030-06-30T13:59:30Z",
  "a leap day": "2032-02-29T12:00:00Z",
  "Melbourne's clocks go back": "2030-04-06T15:59:30Z",
  "New York's clocks go forward": "2030-03-10T06:59:30Z",
  "a year ends in Auckland": "2030-12-31T10:59:30Z",
  "years from now": "2031-08-15T04:30:00Z",
};
const WHOLE = 2;

const words = process.argv.slice(2);
const isOne = words[0] === "one";
const all = Object.entries(INSTANTS);
const turn = Math.floor(Date.now() / HOUR_MS) % all.length;
const chosen = isOne ? all.slice(turn, turn + 1) : all;
const failed = chosen.filter(([what, instant], index) => {
  process.stdout.write(`At ${instant}: ${what}\n`);
  return !passes(instant, !isOne && index < WHOLE);
});
for (const [what, instant] of failed) process.stderr.write(`Failed at ${instant}: ${what}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;

function passes(instant: string, isWhole: boolean): boolean {
  const projects = ["unit", "service", ...(isWhole ? ["process", "worker"] : [])];
  const command = [
    ...["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts"],
    ...projects.flatMap((project) => ["--project", project]),
    ...words.slice(isOne ? 1 : 0),
  ];
  const env = { ...process.env, TEST_CLOCK: instant };
  return spawnSync(process.execPath, command, { stdio: "inherit", env }).status === 0;
}
