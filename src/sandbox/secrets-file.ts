import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "./ports.ts";

export type Secrets = {
  masterKey: string;
  platformToken: string;
  libsqlToken: string;
  /** Companies remember the address of their database, so its port stays the same. */
  libsqlPort: number;
};

/** The secrets of this machine's demo: made once, kept beside its data, readable by their owner only. */
export async function keptSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, "secrets.json");
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  const secrets = {
    masterKey: randomBytes(32).toString("base64"),
    platformToken: `platform_${randomBytes(24).toString("base64url")}`,
    libsqlToken: randomBytes(24).toString("base64url"),
    libsqlPort: await findFreePort(),
  };
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
  return secrets;
}
