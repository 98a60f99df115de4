import { afterEach, expect, inject, test, vi } from "vitest";
import { findOrigins, forgetCompany } from "#tenancy/directory.ts";
import { openCompany } from "../../support/company.ts";

const ORIGIN = "https://school.example.com";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("what was read of a company before it was changed is not remembered after it", async () => {
  const company = await openCompany();
  const { libsqlUrl, libsqlToken } = inject("service");
  const control = { url: `${libsqlUrl}/dev/control/`, token: libsqlToken };
  const origins = (now: number) =>
    findOrigins({ control, masterKeys: [], sandbox: true }, company.slug, now, true);

  const own = globalThis.fetch;
  const { promise: hasRead, resolve: sayRead } = Promise.withResolvers<void>();
  const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
  vi.stubGlobal("fetch", async (...given: Parameters<typeof fetch>) => {
    const answer = await own(...given);
    sayRead();
    await isLetGo;
    return answer;
  });
  const before = origins(0);
  await hasRead;
  vi.unstubAllGlobals();
  await company.publishableKey(ORIGIN);
  forgetCompany(company.slug);
  letGo();
  expect(await before).toEqual([]);
  expect(await origins(1)).toEqual([ORIGIN]);
});
