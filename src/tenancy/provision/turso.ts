import * as z from "zod";
import { expectOk, type Provisioner, type ProvisionerVariables, required, send } from "./provider-api.ts";

const Database = z.object({ database: z.object({ Hostname: z.string() }) });
const Databases = z.object({ databases: z.array(z.object({ Name: z.string() })) });
const Token = z.object({ jwt: z.string() });

/** Turso's platform API: a database for each company, and a token of its own. */
export function turso(env: ProvisionerVariables): Provisioner {
  const organization = required(env.TURSO_ORGANIZATION, "TURSO_ORGANIZATION");
  const base = `${env.TURSO_API_URL ?? "https://api.turso.tech"}/v1/organizations/${organization}/databases`;
  const group = required(env.TURSO_GROUP, "TURSO_GROUP");
  const authorization = env.TURSO_API_TOKEN && `Bearer ${env.TURSO_API_TOKEN}`;
  const call = (method: string, path: string, body?: unknown) =>
    send(base + path, { method, authorization, body });
  const expiration = env.TURSO_TOKEN_EXPIRATION || "never";
  const configure = async (name: string, blocked: boolean) => {
    const blocks = { block_reads: blocked, block_writes: blocked };
    await expectOk(await call("PATCH", `/${name}/configuration`, blocks), 404);
  };
  const exists = async (name: string) => (await expectOk(await call("GET", `/${name}`), 404)).ok;

  return {
    token: "",
    exists,
    async names() {
      const all = await expectOk(await call("GET", `?group=${encodeURIComponent(group)}`));
      return Databases.parse(await all.json()).databases.map((database) => database.Name);
    },
    async create(name) {
      const answer = await call("POST", "", { name, group });
      // An existing database is documented as 409 and answered as 400, which has other meanings too.
      if (!answer.ok && !(await exists(name))) await expectOk(answer);
      return answer.ok;
    },
    async branch(of, name) {
      await expectOk(await call("POST", "", { name, group, seed: { type: "database", name: of } }));
      return this.address(name);
    },
    async address(name) {
      const found = await expectOk(await call("GET", `/${name}`));
      const { database } = Database.parse(await found.json());
      const asked = new URLSearchParams({ expiration, authorization: "full-access" });
      const token = await expectOk(await call("POST", `/${name}/auth/tokens?${asked}`));
      return { url: `libsql://${database.Hostname}`, token: Token.parse(await token.json()).jwt };
    },
    async remove(name) {
      await expectOk(await call("DELETE", `/${name}`), 404);
    },
    // Its tokens cannot be ended alone: `auth/rotate` ends those of all databases of its group.
    shutOut: (name) => configure(name, true),
    letIn: (name) => configure(name, false),
    durability: async () => "unmanaged",
    // Turso's databases are durable as they are.
    makeDurable: async () => "unmanaged",
    sharedToken: () => undefined,
  };
}
