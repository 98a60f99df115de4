import type { TestProject } from "vitest/node";
import { PLATFORM_TOKEN, startService } from "./service.ts";

declare module "vitest" {
  export interface ProvidedContext {
    service: {
      url: string;
      bundle: string;
      platformToken: string;
      libsqlUrl: string;
      libsqlAdminUrl: string;
      libsqlToken: string;
    };
  }
}

/** One service for all test files: each makes companies of its own in it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const service = await startService();
  project.provide("service", {
    url: service.url,
    bundle: service.bundle,
    platformToken: PLATFORM_TOKEN,
    libsqlUrl: service.libsql.url,
    libsqlAdminUrl: service.libsql.adminUrl,
    libsqlToken: service.libsql.token,
  });
  return service.stop;
}
