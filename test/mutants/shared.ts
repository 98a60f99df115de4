import type { Mutant } from "./mutant.ts";

const RIGHTS = "test/api/contract/rights.test.ts";
const KEY_RIGHTS = "test/tenancy/keys/key-rights.test.ts";
const ALLOW = "lists the methods of its address, in test/api/contract/allow.test.ts";

/** Of what was said at several doors, and is said at one. */
export const SHARED_MUTANTS: readonly Mutant[] = [
  {
    gone: "asks for its own scope, in test/soak/credentials.test.ts; keys:read reads keys, in key-rights.test.ts",
    killedBy: `${RIGHTS} -t every scope but those`,
    file: "src/api/pipeline.ts",
    from: "!anyOf.some((scope) => key.scopes.has(scope))",
    to: "key.scopes.size === 0",
  },
  {
    gone: `every operation is closed to the key of another company, in ${RIGHTS}`,
    killedBy: "test/soak/credentials.test.ts -t getInvoice",
    file: "src/api/pipeline.ts",
    from: "if (!isOwn) throw otherCompany();",
    to: "",
  },
  {
    gone: `no method that is planned, and OPTIONS of every operation ${ALLOW}`,
    killedBy: "test/api/contract/routes.test.ts -t answers 405 with Allow",
    file: "src/api/unrouted.ts",
    from: "      planned !== true && (params",
    to: "      (params",
  },
  {
    gone: "the health check needs no key, in test/api/contract/routes.test.ts",
    killedBy: "test/tenancy/readiness.test.ts -t an instance that can serve is ready",
    file: "src/wiring/keyless-routes.ts",
    from: '{ status: "ok", version: API_VERSION, build: buildOf() }',
    to: '{ status: "ok", build: buildOf() }',
  },
  {
    gone: "finds an operation, and issues an invoice, in test/api/contract/mcp.test.ts",
    killedBy: "test/api/contract/mcp-from-llms.test.ts",
    file: "src/api/mcp/call.ts",
    from: 'if (call.body !== undefined) headers.set("Content-Type", "application/json");',
    to: "",
  },
  {
    gone: "writes once where it repeats a call with its key, in test/api/contract/mcp.test.ts",
    killedBy: "test/api/contract/mcp.test.ts -t sees which members were ignored",
    file: "src/api/mcp/call.ts",
    from: "call.idempotency_key ?? crypto.randomUUID()",
    to: "crypto.randomUUID()",
  },
  {
    gone: "another company's key is not there, in test/tenancy/keys/keys.test.ts",
    killedBy: `${KEY_RIGHTS} -t another company's key`,
    file: "src/tenancy/keys/keys.ts",
    from: "    eq(apiKeys.companyId, ctx.company.id),\n",
    to: "",
  },
  {
    gone: `a key that has more rights is not rotated, in ${KEY_RIGHTS}`,
    killedBy: `${KEY_RIGHTS} -t is changed in nothing`,
    file: "src/tenancy/keys/rights.ts",
    from: "return patch === undefined ? row({}) :",
    to: "return patch === undefined ? newStanding({ type: 'secret' } as KeyCreate) :",
  },
  {
    gone: "bodies of 25,001 members and of 33 levels, in test/core/bad-input.test.ts",
    killedBy: "test/api/body.test.ts",
    file: "src/api/bodies/read-body.ts",
    from: "if (members > MOST_MEMBERS)",
    to: "if (members > MOST_MEMBERS + 1)",
  },
  {
    gone: "origins that are refused, in test/tenancy/keys/keys.test.ts",
    killedBy: "test/tenancy/keys/key-origins.test.ts",
    file: "src/tenancy/keys/require-own-hosts.ts",
    from: 'origin.replace("://*.", "://")',
    to: "origin",
  },
];
