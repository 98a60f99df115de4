import { expect, inject } from "vitest";
import { must, type TestCompany } from "../../support/company.ts";
import { type Ran, companyOps as run } from "../../support/company-ops.ts";
import { useFolder } from "../../support/folder.ts";
import type { ServiceAddress } from "../../support/http.ts";
import { operatorOf } from "../../support/operator.ts";
import { check } from "../../tenancy/companies/self-check.ts";

/** A folder of a file's own, and the command line in it as the operator of a service; `done` ends well and complains of nothing. */
export function useCommandLine(variables = () => operatorOf(inject("service"))) {
  const path = useFolder();
  const ops = (...words: string[]) => run(words, { env: variables(), cwd: path() });
  const done = async (...words: string[]): Promise<Ran> => {
    const ran = await ops(...words);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    return ran;
  };
  return { path, ops, done };
}

export async function suspend(company: TestCompany): Promise<void> {
  must(await company.patch({ status: "suspended" }), 200);
}

/** Lets a company work again, and waits until its isolates know. */
export async function resume(company: TestCompany): Promise<void> {
  must(await company.patch({ status: "active" }), 200);
  await expect.poll(async () => (await company.call("GET", "/customers/:company")).status).toBe(200);
}

export async function expectSelfCheckSound(of: { slug: string }, service?: ServiceAddress): Promise<void> {
  expect(await check(of, service)).toMatchObject({ sound: true, broken: [] });
}
