import type { TestProject } from "vitest/node";
import { addressOf, startService } from "./service.ts";

declare module "vitest" {
  export interface ProvidedContext {
    service: ReturnType<typeof addressOf>;
  }
}

/** One service for all test files: each makes companies of its own in it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const service = await startService();
  project.provide("service", addressOf(service));
  return service.stop;
}
