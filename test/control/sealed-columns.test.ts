import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SEALED } from "#control/cli/backup/reseal.ts";

const SEALING = /\.seal\(/g;

/** Where the features seal: each of these places fills columns that a restore knows. */
const KNOWN: Record<string, [calls: number, columns: string[]]> = {
  "gateway-payments/gateways/secrets.ts": [
    2,
    [
      "gateway_accounts.credentials",
      "gateway_accounts.webhook_secret",
      "gateway_accounts.previous_webhook_secret",
    ],
  ],
  "leads/leads/lead-settings.ts": [1, ["lead_settings.turnstile_secret"]],
  "messaging/providers/seals.ts": [
    2,
    ["messaging_providers.sealed_config", "messaging_providers.sealed_token"],
  ],
};

test("a restore seals every column anew that a feature seals", () => {
  const found: Record<string, number> = {};
  for (const file of readdirSync("src/features", { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts")) continue;
    const calls = readFileSync(`src/features/${file}`, "utf8").match(SEALING)?.length ?? 0;
    if (calls > 0) found[file] = calls;
  }
  expect(found).toEqual(Object.fromEntries(Object.entries(KNOWN).map(([file, [calls]]) => [file, calls])));
  const columns = Object.values(KNOWN).flatMap(([, names]) => names);
  expect(SEALED.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(columns.toSorted());
});
