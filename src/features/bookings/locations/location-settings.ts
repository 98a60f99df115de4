import * as z from "zod";
import { Router } from "#api/operations/operation.ts";
import { collectionVerbs } from "#core/write/collection.ts";
import { patchOf } from "#shared/fields/patch.ts";
import { cleanMultilineText, cleanText, postalCode } from "#shared/fields/text.ts";
import { locationSettings } from "./locations.ts";

const sent = z.object({
  name: cleanText({ min: 1, max: 255 }),
  type: cleanText({ min: 1, max: 50 }).describe("For example test_centre, pickup_point or office."),
  city: cleanText({ max: 100 }).nullable(),
  state: cleanText({ max: 100 }).nullable(),
  postcode: postalCode({ max: 10 }).nullable(),
  latitude: z.number().min(-90).max(90).nullable(),
  longitude: z.number().min(-180).max(180).nullable(),
  operating_hours: cleanMultilineText({ max: 500 }).nullable(),
  is_active: z.boolean().meta({ description: "Only active locations are shown for booking." }),
});
const create = sent.partial().required({ name: true, type: true });

export const locationStaffRoutes = new Router(
  "Settings: Booking rules and locations",
  "/locations",
).collection({
  ids: { one: "Location", list: "listLocationSettings" },
  words: ["a location", "all locations"],
  record: locationSettings,
  create,
  patch: patchOf(sent),
  verbs: collectionVerbs({ record: locationSettings, create }),
});
