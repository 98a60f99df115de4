import { expect, test } from "vitest";
import { authenticatePlatform } from "#api/access/platform-token.ts";
import type { RequestContext } from "#api/request-state.ts";
import type { Problem } from "#shared/problem.ts";
import type { Env } from "../../src/env.ts";

test("while the platform token is changed the operator may use either, and then only the new one", async () => {
  const RATE_LIMITER = { getByName: () => ({ take: async () => ({ admitted: true }) }) };
  const refusalOf = async (token: string, env: Env) => {
    const req = { raw: new Request("https://api.example.com"), header: () => `Bearer ${token}` };
    const call = { env, req, get: () => ({ startedAt: 0 }) } as unknown as RequestContext;
    return authenticatePlatform(call).then(
      () => null,
      ({ code }: Problem) => code,
    );
  };
  const both = { PLATFORM_TOKEN: "new", PREVIOUS_PLATFORM_TOKEN: "old", RATE_LIMITER } as unknown as Env;
  expect(await refusalOf("new", both)).toBeNull();
  expect(await refusalOf("old", both)).toBeNull();
  expect(await refusalOf("other", both)).toBe("invalid_credentials");
  const after = { PLATFORM_TOKEN: "new", RATE_LIMITER } as unknown as Env;
  expect(await refusalOf("new", after)).toBeNull();
  expect(await refusalOf("old", after)).toBe("invalid_credentials");
});
