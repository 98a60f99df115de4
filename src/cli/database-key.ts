import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineCommand } from "citty";
import { databaseToken, newDatabaseKey, publicKeyOf } from "./database-token.ts";
import { Failure } from "./failure.ts";
import { print } from "./request.ts";
import { jsonOption } from "./shared-options.ts";

const PRIVATE_KEY = "database-key.pem";
const PUBLIC_KEY = "database-key.public.pem";
const TOKEN = "database-token";

/** `company-ops database-key`: what sqld checks tokens with, and a token for the service. Overwrites nothing. */
export const databaseKey = defineCommand({
  meta: { description: "Make the key pair and the token of a self-hosted sqld" },
  args: {
    out: { type: "string", description: "Folder that the three files are written to", default: "." },
    json: jsonOption,
  },
  run({ args }) {
    const paths = [PRIVATE_KEY, PUBLIC_KEY, TOKEN].map((name) => join(args.out, name));
    const there = paths.find((path) => existsSync(path));
    if (there !== undefined) throw new Failure(`${there} is there already, and is not overwritten`);
    mkdirSync(args.out, { recursive: true, mode: 0o700 });
    const privateKey = newDatabaseKey();
    const texts = [privateKey, publicKeyOf(privateKey), `${databaseToken(privateKey)}\n`];
    // `wx` fails where a file has come meanwhile.
    for (const [index, path] of paths.entries()) {
      writeFileSync(path, texts[index] ?? "", { mode: 0o600, flag: "wx" });
      chmodSync(path, 0o600);
    }
    const [key, publicKey, token] = paths;
    if (args.json) return print({ private_key: key, public_key: publicKey, token });
    process.stdout.write(`${key}: the private key; keep it where neither the service nor sqld runs
${publicKey}: for sqld, --auth-jwt-key-file
${token}: for the service, SQLD_DATABASE_TOKEN and CONTROL_DATABASE_TOKEN
`);
  },
});
