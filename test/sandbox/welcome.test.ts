import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { readConfiguration } from "../../src/sandbox/configuration.ts";
import { welcome } from "../../src/sandbox/terminal/welcome.ts";

const key = (name: string) => ({
  client_id: `ck_${name.padEnd(22, "0")}`,
  client_secret: "sk_".padEnd(53, "1"),
});
const demo = {
  traders: { admin_key: key("traders"), customer_id: "1", shop_key: key("shop"), site_key: key("site") },
  sellers: { "demo-canteen": key("canteen") },
  driving: {
    admin_key: key("driving"),
    publishable_key: { client_id: "pk_1", origin: "http://localhost:8788" },
  },
};

test("where the guides are, a key and the calls to paste stand on a terminal of 24 lines", () => {
  const folder = { path: `${process.cwd()}/.data`, memory: { platform_token: "t".repeat(43) } as never };
  const told = stripVTControlCharacters(welcome(readConfiguration([], {}), folder, demo, 12.34));
  const rows = told.split("\n").flatMap((line) => line.match(/.{1,80}/g) ?? [""]);
  const seen = rows.slice(-23).join("\n");
  for (const part of ["is up after 12.3 s", "8787/docs/guides", key("traders").client_id, "Ctrl-C ends"])
    expect(seen).toContain(part);
  expect(seen.match(/^curl -H @\.data\/headers\.txt /gm)).toHaveLength(3);
  expect(told).toContain(key("canteen").client_id);
});

test("--fresh begins anew also where it stands before the two dashes, which npm takes for itself", () => {
  expect(readConfiguration([], {}).fresh).toBe(false);
  expect(readConfiguration([], { npm_config_fresh: "true" }).fresh).toBe(true);
});
