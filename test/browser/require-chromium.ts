import { findChromium, HOW_TO_GET } from "./chromium.ts";

/** Ends the run before its first test where there is no browser: none of them is passed over. */
export function setup(): void {
  if (findChromium() === undefined) throw new Error(HOW_TO_GET);
}
