import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { launch } from "../chromium.ts";
import { openSchoolSite, type School } from "./school.ts";

/** A browser and a school's website for the tests of one file; there once its first test begins. */
export function useSchoolSite(): { browser: Browser; school: School } {
  const place = {} as { browser: Browser; school: School };
  beforeAll(async () => {
    [place.browser, place.school] = await Promise.all([launch(), openSchoolSite()]);
  });
  afterAll(async () => {
    await place.browser.close();
    place.school.close();
  });
  return place;
}
