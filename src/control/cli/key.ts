import { defineCommand } from "citty";
import { demo, hostOptions, print, request, required } from "./request.ts";

const keyCreate = defineCommand({
  meta: { name: "create", description: "Make an API key and show its secret, once" },
  args: {
    ...hostOptions,
    company: { type: "string", description: "The company's slug" },
    "client-id": { type: "string", description: "A key with settings:write, or COMPANY_OPS_CLIENT_ID" },
    "client-secret": { type: "string", description: "Its secret, or COMPANY_OPS_CLIENT_SECRET" },
    name: { type: "string", description: "What the key is for", required: true },
    type: { type: "enum", options: ["secret", "publishable"], default: "secret", description: "Kind of key" },
    scopes: { type: "string", description: "Scopes of a secret key, separated by commas" },
    origins: { type: "string", description: "Allowed origins of a publishable key, separated by commas" },
  },
  async run({ args }) {
    const id = args["client-id"] ?? process.env.COMPANY_OPS_CLIENT_ID ?? demo.secret_key?.client_id;
    const secret =
      args["client-secret"] ?? process.env.COMPANY_OPS_CLIENT_SECRET ?? demo.secret_key?.client_secret;
    const company = args.company ?? demo.company;
    const lists = { scopes: args.scopes?.split(","), allowed_origins: args.origins?.split(",") };
    const headers = {
      "X-Client-Id": required(id, "--client-id"),
      "X-Client-Secret": required(secret, "--client-secret"),
    };
    const path = `/v1/settings/${required(company, "--company")}/keys`;
    const body = { name: args.name, type: args.type, ...lists };
    print((await request<{ data: unknown }>(args.url, "POST", path, { headers, body })).data);
  },
});

/** `company-ops key ...` */
export const key = defineCommand({
  meta: { name: "key", description: "API keys" },
  subCommands: { create: keyCreate },
});
