import { expect, test } from "vitest";
import { companyOps } from "../support/company-ops.ts";
import { useServer } from "../support/own-server.ts";

const UNAVAILABLE = { code: "unavailable", message: "Try again", request_id: "r1" };
type Answers = Record<string, unknown>;

/** Stands for a service: what it answers of each path; of another 503. */
let answers: Answers;
const url = useServer((request, response) => {
  const data = answers[new URL(request.url ?? "", "http://service").pathname];
  response.writeHead(data === undefined ? 503 : 200, { "Content-Type": "application/json" });
  response.end(JSON.stringify(data === undefined ? UNAVAILABLE : { data }));
});

const migrations = (...missing: string[]) => ({ "/platform/migrations": { missing } });
const faulty = (...faults: string[]) => ({ "/platform/readiness": { faults } });

test.each<[string, Answers, string]>([
  [
    "is empty",
    migrations("01_core", "03_companies"),
    "The control database has no tables: where there was one, its files are gone: restore it (docs/operate.md, When the control database is lost); of a new service: run `company-ops migrate --first`",
  ],
  [
    "is unknown to its server",
    faulty("control_database_missing"),
    "the database server does not know the control database: is CONTROL_DATABASE_URL right? Where its namespace was removed: restore it (docs/operate.md, When the control database is lost)",
  ],
  [
    "lacks migrations",
    migrations("09_later"),
    "The control database lacks 1 migrations: run company-ops migrate",
  ],
  ["is well", migrations(), "unavailable: Try again (r1)"],
  ["is not known to be faulty", {}, "unavailable: Try again (r1)"],
])("status says what is wrong where the control database %s", async (_, given, said) => {
  answers = given;
  const env = { ...process.env, COMPANY_OPS_URL: url(), PLATFORM_TOKEN: "token", DATA_DIR: "nowhere" };
  const { code, stderr } = await companyOps(["status"], { env });
  expect([code, stderr]).toEqual([1, `${said}; see company-ops status --help\n`]);
});
