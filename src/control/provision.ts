import * as z from "zod";
import type { DatabaseAddress } from "#platform/database.ts";
import type { Env } from "../env.ts";

/** Makes and removes company databases, wherever they are kept. */
export type Provisioner = {
  /** Makes an empty database; one of that name left by a creation that failed is replaced. */
  create(name: string): Promise<DatabaseAddress>;
  /** Removes the database; quietly when there is none. */
  remove(name: string): Promise<void>;
};

const TIMEOUT_MS = 10_000;

/** The provisioner that the environment names; throws when a variable of it is missing. */
export function provisionerOf(env: Env): Provisioner {
  return env.DATABASE_PROVIDER === "turso" ? turso(env) : sqld(env);
}

/** The admin API of sqld, which the local server speaks too. */
function sqld(env: Env): Provisioner {
  const admin = required(env.SQLD_ADMIN_URL, "SQLD_ADMIN_URL");
  const address = required(env.SQLD_DATABASE_URL, "SQLD_DATABASE_URL");
  const call = (method: string, name: string, action: string) =>
    send(
      `${admin}/v1/namespaces/${name}${action}`,
      method,
      env.SQLD_ADMIN_TOKEN === undefined ? undefined : `Basic ${env.SQLD_ADMIN_TOKEN}`,
      action === "" ? undefined : { durability_mode: "strong" },
    );
  return {
    async create(name) {
      const first = await call("POST", name, "/create");
      if (!first.ok) {
        await expectOk(await call("DELETE", name, ""), 404);
        await expectOk(await call("POST", name, "/create"));
      }
      return { url: address.replace("{namespace}", name), token: env.SQLD_DATABASE_TOKEN ?? "" };
    },
    async remove(name) {
      await expectOk(await call("DELETE", name, ""), 404);
    },
  };
}

const TursoDatabase = z.object({ database: z.object({ Hostname: z.string() }) });
const TursoToken = z.object({ jwt: z.string() });

/** Turso's platform API: one database and one token of its own for each company. */
function turso(env: Env): Provisioner {
  const base = `${env.TURSO_API_URL ?? "https://api.turso.tech"}/v1/organizations/${required(env.TURSO_ORGANIZATION, "TURSO_ORGANIZATION")}/databases`;
  const group = required(env.TURSO_GROUP, "TURSO_GROUP");
  const call = (method: string, path: string, body?: unknown) =>
    send(base + path, method, `Bearer ${env.TURSO_API_TOKEN}`, body);
  return {
    async create(name) {
      let made = await call("POST", "", { name, group });
      if (made.status === 409) {
        await expectOk(await call("DELETE", `/${name}`), 404);
        made = await call("POST", "", { name, group });
      }
      const { database } = TursoDatabase.parse(await (await expectOk(made)).json());
      const token = await expectOk(await call("POST", `/${name}/auth/tokens?authorization=full-access`));
      return { url: `libsql://${database.Hostname}`, token: TursoToken.parse(await token.json()).jwt };
    },
    async remove(name) {
      await expectOk(await call("DELETE", `/${name}`), 404);
    },
  };
}

function send(
  url: string,
  method: string,
  authorization: string | undefined,
  body?: unknown,
): Promise<Response> {
  return fetch(url, {
    method,
    headers: {
      ...(authorization === undefined ? {} : { Authorization: authorization }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

async function expectOk(response: Response, alsoFine?: number): Promise<Response> {
  if (response.ok || response.status === alsoFine) return response;
  throw new Error(
    `The database provider answered ${response.status}: ${(await response.text()).slice(0, 200)}`,
  );
}

function required(value: string | undefined, name: string): string {
  if (value === undefined || value === "") throw new Error(`${name} is not set`);
  return value;
}
