import { afterAll, inject } from "vitest";
import { addressOf, type Options, startService } from "./service.ts";

/** A service of a file's own and its address, from the bundle that all share; it ends with the file. */
export async function ownService(without: readonly string[] = [], options: Options = {}) {
  const service = await startService(inject("service").bundle, without, options);
  afterAll(() => service.stop());
  return Object.assign(service, { address: addressOf(service) });
}
