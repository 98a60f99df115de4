/** What one command of a page prints where all is well, and what the operator does before it by the text around it. */
export type Expected = {
  command: string;
  says: RegExp;
  before?: "startWorker" | "changeMasterKey" | "changeControlDatabase" | "damageDatabase";
};
type Told = [command: string, says: RegExp, before?: Expected["before"]];

const UP_TO_DATE = /Companies are up to date/;
/** The doctor ends with 1 where any check fails. */
const WELL = /^ok {2}cleaning up: the company is deleted, with its database$/m;
const CREATED = /^(?!.*error)/s;
const MISSING: Told = ["no command", /^$/];
/** A call of the service at a path. */
const asking = (path: string) => `curl --fail "$COMPANY_OPS_URL${path}"`;
const PAGES: Record<string, readonly Told[]> = {
  "docs/deploy.md": [
    ["npx company-ops database-key", /database-token/],
    ["openssl rand", /^$/],
    ["ulimit", /^$/],
    ["LIBSQL_ADMIN_AUTH_KEY=", /^$/],
    ["curl -X POST http://127.0.0.1:8081/v1/namespaces/control/create", CREATED],
    ["curl -o /dev/null", /^401$/m],
    ["curl -o /dev/null", /^200$/m],
    ["npm run deploy", /--dry-run: exiting now/],
    ["npx company-ops migrate", UP_TO_DATE, "startWorker"],
    ["npx company-ops doctor", WELL],
    ["npm run build && npx wrangler deploy --env staging", /--dry-run: exiting now/],
  ],
  "docs/operate.md": [
    [asking("/platform/companies"), /"data":\[\]/],
    ["npx company-ops company create", /"client_secret": "sk_/],
    ["npx company-ops company key", /"client_secret": "sk_/],
    ["npx company-ops company list", /^demo-traders +active +Demo Traders$/m],
    ["npx company-ops company show", /^database +co-.*\nspare_database +null$/m],
    ["npx company-ops company suspend", /is suspended/],
    ["npx company-ops company resume", /works again/],
    ["npx company-ops migrate", UP_TO_DATE],
    ["npx company-ops rollout show", /: open\. 0 companies have an older one/],
    [asking("/health"), /"status":"ok","version":".*"commit":"[0-9a-f]{40}","date":"/],
    [asking("/ready"), /"status":"ready"/],
    [asking("/platform/readiness"), /"ready":true,"faults":\[\]/],
    [asking("/platform/companies/demo-traders/access"), /"works":true/],
    ["npx company-ops doctor", /^ok {2}companies: 1 of 1 company/m],
    ["npx company-ops check demo-traders", /demo-traders: sound/],
    [asking("/platform/self-check/demo-traders"), /"sound":true,"broken":\[\]/],
    ["npx company-ops status", /^demo-traders +active +current .* never +0 h ago$/m],
    ["npx company-ops check --all", /1 were found sound in the last 12 hours: left out/],
    ["npx company-ops backup --all", /^1 backed up in backups-of-today$/m],
    ["npx company-ops verify --all", /_control\.backup: sound.*\n.*demo-traders\.backup: sound/],
    [asking("/platform/backlog?company=demo-traders"), /"slug":"demo-traders","reachable":true,"waiting":0/],
    ["npx company-ops master-key rotate", /^Begun: /, "changeMasterKey"],
    [
      "npx company-ops master-key status --watch",
      /Nothing needs PREVIOUS_MASTER_KEY any more: it may be dropped/,
    ],
    ["npx company-ops backup --control", /is in control\.backup: \d+ rows/],
    ["npx company-ops backup demo-traders", /is in demo-traders\.backup: \d+ rows/],
    ["npx company-ops verify control.backup", /control database of .*: sound/],
    ["npx company-ops verify demo-traders.backup", /company demo-traders of .*: sound/],
    ["npx company-ops restore", /^demo-traders-2 is company demo-traders .* self-check sound; suspended/],
    ["npx company-ops company close", /demo-traders-2 is closed: suspended, and its keys are revoked/],
    ["npx company-ops company suspend", /is suspended/],
    ["npx company-ops restore", /self-check sound; suspended\nWhat it was is kept as its spare database co-/],
    ["npx company-ops company resume", /works again/],
    ["npx company-ops export", /is in demo-traders\.sql: \d+ rows/],
    ['curl --fail -X POST "$SQLD_ADMIN_URL/v1/namespaces/control-2/create"', CREATED],
    ["export CONTROL_DATABASE_URL", /^$/],
    ["npx company-ops restore control.backup --control", /^The control database is that of .*: \d+ rows/],
    ["npx company-ops migrate", UP_TO_DATE, "changeControlDatabase"],
    ["npx company-ops adopt", /^1 companies taken in, 1 changed, 0 as they were, 0 refused$/m],
    ["npx company-ops company list", /^demo-traders-2 +suspended .*\ndemo-traders +active /m],
    ["npx company-ops company close", /demo-traders-2 is closed/],
    ["npx company-ops doctor", WELL],
    ["npx company-ops company suspend", /is suspended/, "damageDatabase"],
    ["SPARE=", /^$/],
    ["OWN=", /^$/],
    ["npx company-ops company remove-spare", /is removed; demo-traders has co-/],
    ["npx company-ops restore", /self-check sound; suspended\nWhat it was is kept as its spare database co-/],
    ["npx company-ops company resume", /works again/],
    ['curl --fail -X DELETE "$SQLD_ADMIN_URL/v1/namespaces/$OWN"', CREATED],
    ["npx company-ops company remove-spare", /is removed; demo-traders has co-/],
    ["curl --fail http://127.0.0.1:9464/metrics", /^company_operations_ready 1$/m],
    [
      `curl --fail -X PATCH "$COMPANY_OPS_URL/platform/companies/demo-traders"`,
      /"max_rate_limit_per_minute":6000/,
    ],
  ],
};

/** What the given commands of a page print, in their order; a call for help says which command it is of. */
export function expectedOf(page: string, commands: readonly string[]): Expected[] {
  const told = [...(PAGES[page] ?? [])];
  const expected = commands.map((command) => helpOf(command) ?? told.shift());
  return [...expected, ...told].map((one) => {
    const [command, says, before] = one ?? MISSING;
    return { command, says, ...(before && { before }) };
  });
}

function helpOf(command: string): Told | undefined {
  const [, words] = /^npx (.*) --help$/.exec(command) ?? [];
  return words === undefined ? undefined : [command, new RegExp(`\\(${words}\\)\\n`)];
}
