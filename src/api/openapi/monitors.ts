import { API_VERSION } from "#shared/version.ts";

const common = {
  tags: ["Health"],
  "x-status": "available" as const,
  "x-scopes": [],
  security: [],
  parameters: [],
};

const HEALTH = {
  ...common,
  operationId: "getHealth",
  summary: "Ask whether the service answers",
  description: "Takes no key and asks no database.",
  responses: {
    200: reply(
      "It does.",
      {
        status: { const: "ok" },
        version: { type: "string" },
        build: {
          type: "object",
          properties: {
            commit: { type: ["string", "null"] },
            date: { type: ["string", "null"], format: "date-time" },
          },
          required: ["commit", "date"],
        },
      },
      {
        status: "ok",
        version: API_VERSION,
        build: { commit: "0123456789abcdef0123456789abcdef01234567", date: "2026-11-21T08:00:00.000Z" },
      },
    ),
  },
};

const READY = {
  ...common,
  operationId: "getReady",
  summary: "Ask whether this instance can serve",
  description:
    "Takes no key. Judges the control database, its migrations and the master key, at most once in 5 seconds; asks no company's database. `GET /platform/readiness` says why not.",
  responses: {
    200: reply("It can.", { status: { const: "ready" } }, { status: "ready" }),
    503: reply("It cannot.", { status: { const: "not_ready" } }, { status: "not_ready" }),
  },
};

/** What monitors ask, at the root of the host. */
export function monitorPaths<Server>(root: Server) {
  return {
    "/health": { get: { ...HEALTH, servers: [root] } },
    "/ready": { get: { ...READY, servers: [root] } },
  };
}

function reply(description: string, properties: Record<string, object>, example: object) {
  return {
    description,
    headers: { "X-Request-Id": { $ref: "#/components/headers/Request-Id" } },
    content: {
      "application/json": {
        schema: { type: "object", properties, required: Object.keys(properties) },
        example,
      },
    },
  };
}
