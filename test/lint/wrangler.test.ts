import { expect, test } from "vitest";
import { type Unstable_Config, unstable_readConfig } from "wrangler";

test("the staging deployment has every binding of the first, with the same settings and names of its own", () => {
  const [first, staging] = [undefined, "staging"].map((env) =>
    JSON.stringify(boundIn(unstable_readConfig({ config: "wrangler.toml", env }))),
  );
  expect(first).toContain('"messages-dlq"');
  expect(staging).toBe(first?.replaceAll(/"(?:queue|dead_letter_queue|bucket_name)":"/g, "$&staging-"));
});

test("the staging deployment has a name of its own", () => {
  expect(unstable_readConfig({ config: "wrangler.toml", env: "staging" }).name).toBe(
    "company-operations-staging",
  );
});

const BOUND = "vars queues r2_buckets durable_objects send_email triggers placement assets migrations";

const boundIn = (config: Unstable_Config) =>
  Object.fromEntries(BOUND.split(" ").map((name) => [name, Object(config)[name]]));
