import { runBundled } from "./run-bundled.ts";

/** Runs document.ts, bundled into one module. */
export function makeDocument(): Promise<typeof import("./document.ts")> {
  return runBundled("document.ts");
}
