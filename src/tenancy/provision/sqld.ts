import * as z from "zod";
import {
  type Durability,
  expectOk,
  type Provisioner,
  type ProvisionerVariables,
  required,
  send,
} from "./provider-api.ts";

const PLACE = "{namespace}";
const NAMESPACE = /^[\w-]+$/;
// `extra` is stronger still.
const DURABLE = ["strong", "extra"];
const Config = z.looseObject({ durability_mode: z.string(), block_reason: z.string().nullish() });
/** Why a database is blocked; another reason is not ours to lift. */
const REPLACED = "replaced by another database of its company";

/** The admin API of a self-hosted sqld: a namespace for each company. */
export function sqld(env: ProvisionerVariables): Provisioner {
  const admin = required(env.SQLD_ADMIN_URL, "SQLD_ADMIN_URL").replace(/\/$/, "");
  const pattern = required(env.SQLD_DATABASE_URL, "SQLD_DATABASE_URL");
  if (!pattern.includes(PLACE)) throw new Error(`SQLD_DATABASE_URL has no ${PLACE}`);
  const token = env.SQLD_DATABASE_TOKEN ?? "";
  // sqld compares the whole of it: its key is not base64 of a user and a password.
  const authorization = env.SQLD_ADMIN_TOKEN && `Basic ${env.SQLD_ADMIN_TOKEN}`;
  const call = (method: string, path: string, body?: unknown) =>
    send(`${admin}/v1/namespaces/${path}`, { method, authorization, body });

  async function configOf(name: string): Promise<z.infer<typeof Config> | null> {
    const answer = await call("GET", `${name}/config`);
    return answer.status === 404 ? null : Config.parse(await (await expectOk(answer)).json());
  }

  async function makeDurable(name: string): Promise<Durability> {
    const config = await configOf(name);
    if (config === null) return "unmanaged";
    if (DURABLE.includes(config.durability_mode)) return "strong";
    // A write replaces all but the size limit, which is read rounded, and so is left out.
    const { max_db_size: _, ...rest } = config;
    await expectOk(await call("POST", `${name}/config`, { ...rest, durability_mode: "strong" }));
    const now = (await configOf(name))?.durability_mode ?? "gone";
    if (!DURABLE.includes(now)) throw new Error(`The durability of the namespace ${name} is ${now}`);
    return "set";
  }

  async function block(name: string, blocked: boolean): Promise<void> {
    const config = await configOf(name);
    if (config === null || (config.block_reason === REPLACED) === blocked) return;
    const { max_db_size: _, ...rest } = config;
    const block_reason = blocked ? REPLACED : "";
    const changed = { ...rest, block_reads: blocked, block_writes: blocked, block_reason };
    await expectOk(await call("POST", `${name}/config`, changed));
  }

  return {
    token,
    exists: async (name) => (await configOf(name)) !== null,
    // Its admin API has no list of namespaces.
    names: async () => null,
    async create(name) {
      const answer = await call("POST", `${name}/create`, { durability_mode: "strong" });
      // 400 says that it exists, but has other meanings too.
      if (!answer.ok && (await configOf(name)) === null) await expectOk(answer);
      if ((await makeDurable(name)) === "unmanaged")
        throw new Error(`The namespace ${name} has no configuration`);
      return answer.ok;
    },
    branch: undefined,
    address: async (name) => ({ url: pattern.replace(PLACE, name), token }),
    async remove(name) {
      await expectOk(await call("DELETE", name), 404);
    },
    // All of its databases have one token, so that the server itself refuses this one.
    shutOut: (name) => block(name, true),
    letIn: (name) => block(name, false),
    async durability(url) {
      const name = namespaceIn(url, pattern);
      const config = name === undefined ? null : await configOf(name);
      if (config === null) return "unmanaged";
      return DURABLE.includes(config.durability_mode) ? "strong" : "relaxed";
    },
    async makeDurable(url) {
      const name = namespaceIn(url, pattern);
      return name === undefined ? "unmanaged" : makeDurable(name);
    },
    sharedToken: (url) => (namespaceIn(url, pattern) === undefined ? undefined : token),
  };
}

/** The namespace of an address that was made by the pattern, whether or not it ends in a slash. */
function namespaceIn(url: string, pattern: string): string | undefined {
  const bare = (text: string) => text.replace(/\/$/, "");
  const [before = "", after = ""] = bare(pattern).split(PLACE);
  if (!url.startsWith(before) || !bare(url).endsWith(after)) return undefined;
  const name = bare(url).slice(before.length, bare(url).length - after.length);
  return NAMESPACE.test(name) ? name : undefined;
}
