import { kindOf } from "#providers/messaging";
import { fieldProblem } from "#shared/problem.ts";
import { lastFour } from "#shared/text/last-four.ts";
import { check, validationProblem } from "#shared/validation.ts";
import type { Channel } from "../../messages/channel.ts";

type Config = Record<string, unknown>;

/** A configuration as its kind of provider takes it; throws 422 naming each field, or the kind that the channel lacks. */
export function parseConfig(
  channel: Channel,
  kind: string,
  given: Config,
): { config: Config; shown: Config } {
  const known = kindOf(channel, kind);
  if (known === undefined) throw fieldProblem("kind", "invalid_value", `is no kind of ${channel} provider`);
  const parsed = check(known.config, given);
  if (!parsed.success)
    throw validationProblem(
      parsed.error.issues.map((issue) => ({ ...issue, path: ["config", ...issue.path] })),
    );
  const config = parsed.data as Config;
  const secrets = new Set<string>(known.secrets);
  const shown = Object.entries(config).map(([name, value]) => [
    name,
    secrets.has(name) ? hidden(value) : value,
  ]);
  return { config, shown: Object.fromEntries(shown) };
}

function hidden(secret: unknown): object {
  return { configured: true, last_four: lastFour(String(secret)) };
}
