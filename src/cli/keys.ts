import { defineCommand } from "citty";
import { Failure } from "./failure.ts";
import { callKeys, print } from "./request.ts";
import { isJsonOption, jsonOption, keyOptions } from "./shared-options.ts";

type Key = { client_id: string; type: string; name: string; last_used_at: string | null };

const clientId = {
  type: "positional",
  description: "The key's id, ck_... or pk_...",
  required: true,
} as const;

const create = defineCommand({
  meta: { description: "Make an API key and show its secret, once" },
  args: {
    ...keyOptions,
    name: { type: "string", description: "What the key is for", required: true },
    type: { type: "enum", options: ["secret", "publishable"], default: "secret", description: "Kind of key" },
    scopes: { type: "string", description: "Scopes of a secret key, separated by commas" },
    origins: { type: "string", description: "Allowed origins of a publishable key, separated by commas" },
    json: isJsonOption,
  },
  async run({ args }) {
    if (args.type === "secret" && !args.scopes)
      throw new Failure(
        "--scopes is missing: say what the key may do, such as customers:read,invoices:write",
      );
    const lists = { scopes: args.scopes?.split(","), allowed_origins: args.origins?.split(",") };
    print(await callKeys(args, "POST", "", { name: args.name, type: args.type, ...lists }));
  },
});

const list = defineCommand({
  meta: { description: "List a company's live keys" },
  args: { ...keyOptions, json: jsonOption },
  async run({ args }) {
    const keys = await callKeys<Key[]>(args, "GET");
    if (args.json) return print(keys);
    for (const { client_id, type, name, last_used_at } of keys)
      process.stdout.write(`${client_id}  ${type.padEnd(11)}  used ${last_used_at ?? "never"}  ${name}\n`);
  },
});

const rotate = defineCommand({
  meta: { description: "Give a secret key a new secret and show it, once" },
  args: {
    ...keyOptions,
    key: clientId,
    overlap: {
      type: "enum",
      options: ["0", "3600", "86400", "604800"],
      default: "0",
      description: "Seconds that the old secret still works",
    },
    json: isJsonOption,
  },
  async run({ args }) {
    const body = { overlap_seconds: Number(args.overlap) };
    print(await callKeys(args, "POST", `/${encodeURIComponent(args.key)}/rotate`, body));
  },
});

const revoke = defineCommand({
  meta: { description: "End a key for good, everywhere within 10 seconds" },
  args: { ...keyOptions, key: clientId, json: isJsonOption },
  async run({ args }) {
    print(await callKeys(args, "DELETE", `/${encodeURIComponent(args.key)}`));
  },
});

export const keyCommands = defineCommand({
  meta: { description: "API keys" },
  subCommands: { create, list, rotate, revoke },
});
